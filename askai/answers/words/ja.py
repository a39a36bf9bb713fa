"""The words of answers in Japanese. A noun has one form for all numbers."""

from ...plans.entities import Column
from ...plans.plan import By, Form
from .table import Dates, Noun, Words, nouns

_EVENTS = nouns("""
signup_success|アカウント登録
login_success|ログイン
login_failed|失敗したログイン
login_stopped_at_factor|第二要素で止まったログイン
logout|ログアウト
logout_all|すべての端末からのログアウト
token_rotated|トークンの更新
token_reuse_detected|トークンの再使用
session_revoked|一覧から終了したセッション
session_ended|セッションの終了
reauthenticated|本人の再確認
account_locked|アカウントのロック
account_unlocked|アカウントのロック解除
account_imported|アカウントの取り込み
password_changed|パスワードの変更
password_breach_rejected|漏えい済みパスワードの拒否
password_hash_upgraded|パスワード保存の強化
email_change_requested|メールアドレス変更の申請
email_changed|メールアドレスの変更
email_change_undone|メールアドレス変更の取り消し
data_exported|データのエクスポート
account_deleted|アカウントの削除
account_deactivated|アカウントの無効化
account_reactivated|アカウントの再有効化
account_taken_over|アカウントの引き継ぎ
oauth_linked|プロバイダーの連携
oauth_unlinked|プロバイダーの連携解除
application_signed_in|アプリケーションへのログイン
application_disconnected|アプリケーションのアクセス解除
totp_enabled|認証アプリの追加
totp_disabled|認証アプリの削除
totp_challenge_failed|認証アプリの誤ったコード
passkey_registered|パスキーの追加
passkey_removed|パスキーの削除
passkey_challenge_failed|パスキー確認の失敗
second_factor_added|その他の第二要素の追加
second_factor_removed|その他の第二要素の削除
second_factor_failed|その他の第二要素の誤り
magic_link_requested|ログインリンクの申請
password_reset_requested|パスワード再設定の申請
recovery_codes_generated|リカバリーコードの発行
recovery_code_used|リカバリーコードの使用
recovery_code_failed|誤ったリカバリーコード
recovery_started|アカウント復旧の開始
recovery_cancelled|アカウント復旧の中止
recovery_completed|アカウント復旧の完了
anomaly_detected|不審なイベント
credential_stuffing_detected|多数のアカウントへの攻撃の検知
api_key_created|APIキーの作成
api_key_revoked|APIキーの失効
api_key_rejected|拒否されたAPIキー
""")

WORDS = Words(
    dates=Dates(
        months=tuple(str(month) for month in range(1, 13)),
        weekdays=("月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"),
        first_day="1",
        day="{y}年{m}月{d}日",
        month="{y}年{m}月",
        week="{date}からの週",
        moment="{date} {time}",
        on="{y}年{m}月{d}日",
        since="{a}以降",
        before="{b}より前",
        from_to="{a}から{b}まで",
        in_month="{y1}年{m1}月{d1}日から{d2}日まで",
        in_year="{y1}年{m1}月{d1}日から{m2}月{d2}日まで",
        in_years="{y1}年{m1}月{d1}日から{y2}年{m2}月{d2}日まで",
        hours="{a}から{b}まで",
        hour="{a}から{b}まで",
    ),
    events=_EVENTS,
    any_event=Noun(one="イベント", many="イベント"),
    live_sessions=Noun(one="有効なセッション", many="有効なセッション"),
    ended_sessions=Noun(one="終了したセッション", many="終了したセッション"),
    any_sessions=Noun(one="有効または終了したセッション", many="有効または終了したセッション"),
    this_session=Noun(one="このセッション", many="このセッション"),
    others="このセッションを除く",
    ended_in="終了：{period}",
    except_types="{list}以外のイベント",
    columns={
        Column.ID: "ID",
        Column.CREATED_AT: "日時",
        Column.ENDED_AT: "終了日時",
        Column.TYPE: "イベント",
        Column.IP: "IPアドレス",
        Column.LOCATION: "場所",
        Column.DEVICE: "デバイス",
        Column.BROWSER: "ブラウザ",
        Column.OS: "OS",
        Column.FORM: "デバイスの種類",
        Column.USER_AGENT: "ユーザーエージェント",
    },
    by={
        By.TYPE: "イベント",
        By.IP: "IPアドレス",
        By.PLACE: "場所",
        By.DEVICE: "デバイス",
        By.BROWSER: "ブラウザ",
        By.OS: "OS",
        By.FORM: "デバイスの種類",
        By.HOUR: "時間帯",
        By.WEEKDAY: "曜日",
        By.DAY: "日",
        By.WEEK: "週",
        By.MONTH: "月",
    },
    place="場所",
    weekday="曜日",
    forms={
        Form.PHONE: "スマートフォン",
        Form.TABLET: "タブレット",
        Form.DESKTOP: "パソコン",
        Form.IPHONE: "iPhone",
        Form.IPAD: "iPad",
        Form.ANDROID_PHONE: "Androidスマートフォン",
        Form.ANDROID_TABLET: "Androidタブレット",
        Form.BOT: "ボット",
    },
    device="{os}の{browser}",
    unknown="不明",
    count="件数",
    period="期間",
    comma="、",
    last_comma="または",
    colon="：",
    stop="。",
    space="",
    is_value="{name}「{values}」",
    is_not_value="{name}「{values}」以外",
    grouped="{subject}の{by}別",
    most="最も多いもの",
    least="最も少ないもの",
    zone="（{zone}）",
    number_of="{noun}{n}件",
    at_least="{n}以上",
    none="なし",
    total="合計{n}",
    yes="はい、{n}件",
    no="いいえ",
    newest_is="最新：{record}",
    newest="最新の{many}",
    oldest="最も古い{many}",
    newest_of="{total}件のうち最新の{n}件",
    oldest_of="{total}件のうち最も古い{n}件",
    first_of="{total}個の値のうち最初の{n}個",
    more_values="ほか{n}個",
    partial="最も多い{n}種類のブラウザまたはアドレスだけを調べたため、実際はこれより多い場合があります。",
    none_examined="調べた範囲ではなし",
    ended_note="終了したセッションは{n}日後に削除されます。",
    events_note="イベントは{n}日間保存されます。",
    places_note="このサービスでは場所がわからないため、IPアドレスを表示します。",
    facts={
        "locked": (
            "アカウントのロック",
            "アカウントは{until}までロックされています。",
            "アカウントはロックされていません。",
        ),
        "address_proven": (
            "メールアドレスの確認",
            "メールアドレスは確認済みです。",
            "メールアドレスはまだ確認されていません。",
        ),
        "second_factor": (
            "アカウントの第二要素",
            "はい、アカウントには第二要素があります。",
            "いいえ、アカウントには第二要素がありません。",
        ),
        "api_keys": (
            "アカウントのAPIキー",
            "はい、有効なAPIキーは{n}個です。",
            "いいえ、有効なAPIキーはありません。",
        ),
        "totp": (
            "アカウントの認証アプリ",
            "はい、認証アプリがあります。",
            "いいえ、認証アプリはありません。",
        ),
        "passkey": ("アカウントのパスキー", "はい、パスキーは{n}個です。", "いいえ、パスキーはありません。"),
        "recovery_code": (
            "アカウントのリカバリーコード",
            "はい、未使用のリカバリーコードは{n}個です。",
            "いいえ、未使用のリカバリーコードはありません。",
        ),
    },
    questions_on_sessions=(
        "どこでログインしていますか？",
        "どのデバイスでログインしていますか？",
        "セッションはいくつありますか？",
        "スマートフォンでログインしていますか？",
        "ほかのセッションを表示して",
    ),
    questions_on_events=(
        "最後にログインしたのはいつですか？",
        "今週、失敗したログインはありましたか？",
        "アカウントはロックされていますか？",
        "今月はどのブラウザでログインしましたか？",
        "過去7日間に何回ログインしましたか？",
    ),
    other_fact=(
        "第二要素：{name}",
        "はい、この第二要素があります：{name}。",
        "いいえ、この第二要素はありません：{name}。",
    ),
)
