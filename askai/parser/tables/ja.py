"""The words of Japanese."""

SLASH = "md"

TABLE = """
fill: は, が, を, に, で, へ, も, ね, よ, さん, お願いします, ください, 下さい, すみません, こんにちは, 今, 現在, いま, 今まで, これまで, 今までに, これまでに, 合計, 全部で, 合計で, のは, のが, のを, ことが, こと, もの, 異なる, もう, まだ, 実際, について, に関する, において,
  における, での, への, によって, による, って, ところ, として, 計, 時点, には, では, とは別, のうちに, それぞれ, からの, ちょっと, 具体的に, 詳細, ので, 場合, からは, 履歴, 一度でも, か所, 自体, いった
recent: 最近, 最近の
adj: 新しい, 新規, 新規の, 新しく
the: の
the my: 私の, 自分の, 僕の, わたしの, 俺の, マイ
me: 私, 自分, 僕, わたし, 私は, 私が
anyone: 誰か, だれか, 何者か
who: 誰, だれ
mine: (私の|自分の|)アカウント(に|へ|へと|での|への|に対する|において|上の|上で|で), 自分として
tense: した, しました, された, されました, したの, したのは, されたの, されたのは, ました, があった, あった, ありました, 行った, 行われた, 行われました, なった, なりました, していた, していました, あったの, されていた, しまし, 行なった, しているの, 使われた, をした, をしました, でした, しているのは, してい, のあった
ask: か, ましたか, したか, しましたか, されましたか, されたか, でしたか, なりましたか, 行いましたか, 行われましたか, します か, しますか, していますか, かどうか, だろうか, でしょうか, していましたか, ましたかね, されましたかね
aux be: なっていますか, なっています, なってる, です, ですか, だ, である, されています, されていますか, になっています, になっていますか, されている, なっている, になっている, されてますか, になってますか, 済みですか, ですかね
own: ありますか, あります, ある, 持っていますか, 持っている, 持っています, 存在しますか, 存在する, いますか, 持ってる, 持ってますか, ある か, あるか
exist: ありましたか, あったか, ありましたかね, あったかどうか
come: 来た, 来ました, 来ていますか, 発生した, 発生しました, 発生しましたか, 行われ, 来て, 記録された, 発生, 起きた, 記録
show: 見せて, 見せてください, 表示, 表示して, 表示してください, 教えて, 教えてください, 一覧, 一覧を見せて, 一覧を表示して, リスト, リストにして, リストアップして, 列挙して, 知りたい, 知りたいです, 出して, を見せて, を表示して, を教えて, を教えてください, を見せてください, を表示してください, 確認したい, 見たい, 一覧表示して, 挙げて
when: いつ, 何時に, 何月何日, 何時頃, 何日に, 日時, いつです, いつ頃
where: どこ, どこから, どこで, どちらから
which: どれ, どの, どのような, どんな, どういう, どちらの, 何の, なんの
what: 何
what event: 何があった, 何がありましたか, 何が起きた, 何が起きましたか, 何が起こりましたか, 何が起こった, どんなことがありましたか, 何がありました, 何が起きました
count: 何回, 何件, いくつ, 何度, 回数, 件数, 何回分, 数, の回数, の件数, の数, 何個, 何台, 数えて, 数えてください, 総数, 合計数, 何回くらい, 何種類, 何か所, 何カ所, 何箇所
compare: 比較, 比較して, 比べて, に比べて, と比べて, 比較してください, と比較して, より多い, より多く, よりも多い, よりも多く, より少ない, 比べてください, に比べ, 比べると
and: と, および, 及び, そして, また, ならびに, や, かつ
or: または, もしくは, あるいは, 又は
but: が、
not: ではない, でない, じゃない
except_post: 以外, 以外の, 以外から, 以外からの, 以外で, 以外での, を除く, を除いて, を除いた, を除き, ではない, じゃない, 以外に, 以外では, でない, 以外を, から以外
only: だけ, のみ, だけを
per_post: 別, 別に, ごと, ごとに, ごとの, 毎に, 毎の, 別の, 毎, 別で, 別回数
each: 各
most most: 一番多い, 最も多い, いちばん多い, 最も多く, 一番多く, いちばん多く, 一番よく, 最もよく, いちばんよく, よく, 一番, 最も, もっとも, いちばん, 最多, 最多の, 多い順に, 多かった, 一番多かった, 最も多かった, が多い, が多かった, 最も頻繁に, 主に, 上位, トップ
most least: 一番少ない, 最も少ない, いちばん少ない, 最も少なかった, 一番少なかった
last newest: 最後の, 最新の, 直近の, 前回の, 最後, 直近, 最新, 一番最近の, いちばん最近の, 最も新しい, 一番新しい, いちばん新しい, (最後に|前回|一番最近|最近最後に|直近で|最後に一度)~
last oldest: 最初の, 一番古い, 最も古い, いちばん古い, 最古の, (最初に|初めて|はじめて)~
group hour: 時間帯別, 時間別, 何時台, 時間帯ごと, 時間帯ごとに, 何時台に, 時刻別
group day: 日別, 毎日の, 日毎, 日ごと, 一日ごと, 1日ごと, 何日, 日別の, どの日
group week: 週別, 週ごと, 毎週の, 週別の
group month: 月別, 月ごと, 毎月の, 何月, 月別の
group weekday: 曜日別, 何曜日, 曜日ごと, 何曜日に, 曜日別の
prop device: デバイス, 端末, 機器, 機種, 装置
prop browser: ブラウザ, ブラウザー
prop os: os, オペレーティングシステム, 基本ソフト
prop form: デバイスの種類, 端末の種類, デバイス種別
prop place: 場所, 国, 都市, 位置, 地域, 国や都市, 所在地
prop ip: ip, ipアドレス, アドレス, ip アドレス
prop type: 種類, タイプ, イベントの種類, イベントタイプ, 種別, イベント種別
prop hour: 時間帯
prop weekday: 曜日
prop time: 時刻, 日付, 時間, 日時
unit minutes: 分, 分間
unit hours: 時間
unit days: 日, 日間
unit weeks: 週, 週間
unit months: か月, ヶ月, カ月, ケ月, ヵ月, か月間, ヶ月間, カ月間, 箇月, 月間
unit years: 年, 年間
h_unit: 時
num_unit: 回, 件, つ, 個, 回分, 件分, 回の, 件の, 台, 件間
ago: 前, 前の, 前に
past: 過去, ここ, この, 以内, 以内の, 以内に, ここ最近, 過去の, この過去
since_post: から, 以来, からずっと, 以来の, からの
since_post hours: 以降, 以降の, 以降に
before_post: より前, 以前, よりも前, より前の, 以前の, より前に, 以前に, までに
after_post: より後, より後の, よりあと, の後, 後, 以後, より後に, 過ぎ
until_post: まで, までの, までに, までは, の間, の間に, 間
between: xbetween
num 1: 一
num 2: 二, 2つ
num 3: 三
num 4: 四
num 5: 五
num 6: 六
num 7: 七
num 8: 八
num 9: 九
num 10: 十
ampm am: 午前
ampm pm: 午後
clock 12.0: 正午
named today: 今日, きょう, 本日
named yesterday: 昨日, きのう
named day_before_yesterday: 一昨日, おととい
named this_week: 今週
named last_week: 先週
named this_month: 今月
named last_month: 先月
named this_year: 今年
named last_year: 去年, 昨年
named this_weekend: 週末, この週末, 今週末
named last_weekend: 先週末, 先週の週末, 前の週末
named today.morning: 今朝, 今日の朝, 今日の午前, 今日の午前中
named today.afternoon: 今日の午後
named today.evening: 今日の夕方
named today.night: 今夜, 今晩
named yesterday.night: 昨夜, 昨晩, 昨日の夜, ゆうべ, きのうの夜, 昨日の晩, 昨日の深夜
named yesterday.evening: 昨日の夕方
named yesterday.morning: 昨日の朝, 昨日の午前, 昨日の午前中
named yesterday.afternoon: 昨日の午後, きのうの午後
named last.14.days: 過去二週間, ここ二週間
named ago.1.weeks: 一週間前, 1週間前
named ago.2.weeks: 先々週
named ago.2.months: 先々月
named ago.2.years: 一昨年, おととし
named since.this_month: 今月の(初め|はじめ|頭)から, 今月に入ってから, 月初から, 月初めから
named since.this_week: 今週の(初め|はじめ)から, 今週に入ってから, 週の初めから
named since.this_year: 今年の(初め|はじめ)から, 今年に入ってから, 年初から, 年始から
bad: ログインしていました, ログインしていましたか, ログインしていた, 最後の日, 先日, この間
month january: 一月
month february: 二月
month march: 三月
month april: 四月
month may: 五月
month june: 六月
month july: 七月
month august: 八月
month september: 九月
month october: 十月
month november: 十一月
month december: 十二月
weekday monday: 月曜日, 月曜
weekday tuesday: 火曜日, 火曜
weekday wednesday: 水曜日, 水曜
weekday thursday: 木曜日, 木曜
weekday friday: 金曜日, 金曜
weekday saturday: 土曜日, 土曜
weekday sunday: 日曜日, 日曜
weekdays monday: 毎週月曜日, 毎週月曜
weekdays tuesday: 毎週火曜日, 毎週火曜
weekdays wednesday: 毎週水曜日, 毎週水曜
weekdays thursday: 毎週木曜日, 毎週木曜
weekdays friday: 毎週金曜日, 毎週金曜
weekdays saturday: 毎週土曜日, 毎週土曜
weekdays sunday: 毎週日曜日, 毎週日曜
weekdays weekend: 毎週末, 土日
weekdays workday: 平日
parts morning: 朝, 午前中, 朝方
part afternoon: 昼過ぎ
parts evening: 夕方
parts night: 夜, 深夜, 夜中, 夜間, 晩, 夜遅く
browsers Chrome: クローム, グーグルクローム
browsers Firefox: ファイアフォックス, ファイヤーフォックス
browsers Safari: サファリ
browsers Edge: エッジ
systems Windows: ウィンドウズ, windowsパソコン, windows pc, windowsのパソコン, windowspc
systems macOS: マック, macのパソコン
systems Linux: リナックス
systems Android: アンドロイド, android端末, androidデバイス
forms iphone: アイフォン
forms ipad: アイパッド
forms android_phone: androidスマホ, androidスマートフォン, androidの(スマホ|スマートフォン|携帯), android携帯
forms android_tablet: androidタブレット, androidのタブレット
forms phone: スマホ, スマートフォン, 携帯, 携帯電話, 電話, モバイル, モバイル端末, モバイルデバイス
forms tablet: タブレット, タブレット端末
forms desktop: パソコン, pc, デスクトップ, コンピュータ, コンピューター, ノートパソコン, デスクトップpc
con session: セッション, ログインしている, ログインしています, ログインしていますか?, ログイン中, サインイン中, サインインしている, サインインしていますか?, サインインしています, ログイン中です, ログイン中ですか?, ログインしてる, ログインされている, ログイン状態
con session live: (アクティブな|有効な|現在の|開いている|生きている|今の)セッション, アクティブセッション
con session over: (終了した|終了済みの|過去の|終わった|期限切れの|古い|以前の|閉じた)セッション, 終了セッション, 終了済みセッション
con session this_one: このセッション, 今使っているセッション, 現在使用中のセッション, 現在使っているセッション
con session other: (これ|この|今の|現在の)(セッション|)以外の(アクティブな|)セッション, (他の|ほかの|別の|その他の|それ以外の)(アクティブな|有効な|)セッション
con other: これ以外, この端末以外(で|から|に|の|), このデバイス以外(で|から|に|の|), 他の(デバイス|端末|場所)(で|から|に|), ほかの(デバイス|端末|場所)(で|から|に|), 別の(デバイス|端末|場所)(で|から|に|)
con start: 開始=, 始まった, 開始された, 始まり
con login: ログイン, サインイン, ログオン, ログインした, ログインし, アクセス
con success: 成功, 成功した, 成功し
con fail: 失敗, 失敗した, 間違った, 間違えた, 誤った, 不正な, 無効な, 間違い, 失敗に終わった, 失敗し, ミス
con reject: 拒否, 拒否された, 却下, 拒否され
con attempt: 試行, 試み
con login attempt: ログイン試行, ログインの試行, サインイン試行, ログインの試み
con stop: 中断, 停止
con logout: ログアウト, サインアウト, ログオフ
con everywhere: 全デバイスから, すべてのデバイスから, 全てのデバイスから, すべての端末から, 全端末から, 全端末で, すべてのデバイスで, 全セッションから, 全デバイスでの, 一斉, 全デバイスの
con token: トークン, リフレッシュトークン
con rotate: ローテーション=, 更新=
con reuse: 再利用=, 再使用=, 使い回し
con revoke: 取り消し=, 取り消された, 取消=, 失効=, 無効化=, 取り消し, 取り消した
con end: 終了=, 終わった, 終了した, 終了され
con reauth: 再認証=
con account: アカウント
con lock: ロック=, 凍結=
con account lock: アカウントロック, ロックアウト, アカウントのロック
con unlock: ロック解除=, アンロック=, ロックが解除, ロックの解除
con enable: 有効化=, 有効に, 有効, オンに, オン, オンにした
con disable: 無効化=, 無効に, 無効, オフに, オフ, 停止=, 解除=
con reactivate: 再有効化=, 再開=
con create: 追加=, 登録=, 作成=, 生成=, 発行=, 設定=, 作った, 新規登録=
con account create: アカウント作成, アカウント登録, サインアップ, アカウント開設
con remove: 削除=, 消した, 除去=, 消され
con takeover: 乗っ取られ, 乗っ取り, 乗っ取られた
con import: インポート=, 取り込み=
con export: エクスポート=, 書き出し=, ダウンロード=
con data: データ
con password: パスワード, 暗証番号
con change: 変更=, 変わった, 変えた, 変え, 変更した, 変わり
con reset: リセット=, 再設定=
con request: 要求=, リクエスト=, 申請=, 請求=, 依頼=
con undo: 取り消し=, 元に戻
con breach: 漏えいした, 漏洩した, 流出した
con upgrade: アップグレード=
con email: メール, メールアドレス, eメール, eメールアドレス, メアド, e メール
con verify: 確認済み, 確認=, 認証済み, 検証済み
con twofactor: (2|二)(段階|要素)認証, 多要素認証, 二要素, 2ファクタ認証, 2段階認証
con factor: (第二|第2|2つ目の|二つ目の|2番目の)(要素|認証要素)
con totp: 認証アプリ, 認証システムアプリ, オーセンティケーター, オーセンティケータ, authenticatorアプリ
con code: コード
con totp code: 認証コード, ワンタイムコード, 確認コード
con passkey: パスキー
con recovery_code: (リカバリー|リカバリ|復旧|回復|バックアップ|復元)コード
con recovery: アカウント復旧, アカウントの復旧, アカウントリカバリー, 復旧, アカウント回復, アカウントの回復, リカバリー
con cancel: キャンセル=, 中止=
con complete: 完了=
con magic_link: マジックリンク, ログインリンク
con oauth: (ソーシャル|外部|oauth)アカウント, ソーシャルログイン
con link: 連携=, リンク=, 紐付け=
con unlink: 連携解除=, 連携の解除
con api_key: apiキー, api キー, apiの鍵
con anomaly: 異常
con stuffing: クレデンシャルスタッフィング, クレデンシャルスタッフィング攻撃
con detect: 検出=, 検知=
con use: 使用=, 利用=, 使っ, 使う, 使った, 使って, 使い, 使われ, 使っている, 使った, 使用した, 利用した
con event: イベント, アクティビティ, 活動, 出来事, 操作, 何か, 履歴, アクティビティ履歴, 監査ログ, ログ, アカウントの活動, セキュリティイベント, アクティビティログ, イベント履歴
con happen: 起きた, 起こった, 起きました, 起こりました, 起き, 起こり
all: すべての, 全ての, 全部の, 全, すべて, 全て, 全部, 全部を
"""
