"""The places that the parser knows. Locations have English names of cities, and codes of countries.

A name after `from` that is in no table could be a person's, so the parser refuses it.
"""

from ...plans.countries import COUNTRIES
from ...plans.plan import Language

_SYNONYMS = {
    "CZ": "Czech Republic, République tchèque, República Checa",
    "GB": "UK, Britain, Great Britain, England, Großbritannien, Vereinigten Königreich, Grande-Bretagne, Gran Bretaña, 英国",
    "KR": "Korea, 大韓民国",
    "NL": "Holland, Niederlanden, Holanda, the Netherlands",
    "US": "USA, America, United States of America, Vereinigten Staaten, EEUU, EE UU, Amerika, Amérique, 米国, アメリカ合衆国",
}

_CITIES = """
Amsterdam | Amsterdam | Amsterdam | Ámsterdam | アムステルダム
Athens | Athen | Athènes | Atenas | アテネ
Barcelona | Barcelona | Barcelone | Barcelona | バルセロナ
Beijing | Peking | Pékin | Pekín | 北京
Berlin | Berlin | Berlin | Berlín | ベルリン
Bordeaux | Bordeaux | Bordeaux | Burdeos | ボルドー
Boston | Boston | Boston | Boston | ボストン
Brussels | Brüssel | Bruxelles | Bruselas | ブリュッセル
Budapest | Budapest | Budapest | Budapest | ブダペスト
Chicago | Chicago | Chicago | Chicago | シカゴ
Cologne | Köln | Cologne | Colonia | ケルン
Copenhagen | Kopenhagen | Copenhague | Copenhague | コペンハーゲン
Dublin | Dublin | Dublin | Dublín | ダブリン
Düsseldorf | Düsseldorf | Düsseldorf | Düsseldorf | デュッセルドルフ
Fukuoka | Fukuoka | Fukuoka | Fukuoka | 福岡
Frankfurt am Main | Frankfurt am Main, Frankfurt | Francfort, Francfort-sur-le-Main | Fráncfort, Fráncfort del Meno | フランクフルト
Geneva | Genf | Genève | Ginebra | ジュネーブ
Hamburg | Hamburg | Hambourg | Hamburgo | ハンブルク
Helsinki | Helsinki | Helsinki | Helsinki | ヘルシンキ
Istanbul | Istanbul | Istanbul | Estambul | イスタンブール
Kyoto | Kyoto | Kyoto | Kioto | 京都
Lille | Lille | Lille | Lille | リール
Lisbon | Lissabon | Lisbonne | Lisboa | リスボン
London | London | Londres | Londres | ロンドン
Los Angeles | Los Angeles | Los Angeles | Los Ángeles | ロサンゼルス
Lyon | Lyon | Lyon | Lyon | リヨン
Madrid | Madrid | Madrid | Madrid | マドリード
Marseille | Marseille | Marseille | Marsella | マルセイユ
Mexico City | Mexiko-Stadt | Mexico | Ciudad de México | メキシコシティ
Milan | Mailand | Milan | Milán | ミラノ
Moscow | Moskau | Moscou | Moscú | モスクワ
Munich | München | Munich | Múnich | ミュンヘン
Nagoya | Nagoya | Nagoya | Nagoya | 名古屋
New York | New York | New York | Nueva York | ニューヨーク
Osaka | Osaka | Osaka | Osaka | 大阪
Oslo | Oslo | Oslo | Oslo | オスロ
Paris | Paris | Paris | París | パリ
Prague | Prag | Prague | Praga | プラハ
Rome | Rom | Rome | Roma | ローマ
San Francisco | San Francisco | San Francisco | San Francisco | サンフランシスコ
São Paulo | São Paulo | São Paulo | São Paulo | サンパウロ
Sapporo | Sapporo | Sapporo | Sapporo | 札幌
Seoul | Seoul | Séoul | Seúl | ソウル
Seville | Sevilla | Séville | Sevilla | セビリア
Shanghai | Shanghai | Shanghai | Shanghái | 上海
Stockholm | Stockholm | Stockholm | Estocolmo | ストックホルム
Stuttgart | Stuttgart | Stuttgart | Stuttgart | シュトゥットガルト
Sydney | Sydney | Sydney | Sídney | シドニー
Tokyo | Tokio | Tokyo | Tokio | 東京
Toronto | Toronto | Toronto | Toronto | トロント
Toulouse | Toulouse | Toulouse | Toulouse | トゥールーズ
Valencia | Valencia | Valence | Valencia | バレンシア
Vienna | Wien | Vienne | Viena | ウィーン
Warsaw | Warschau | Varsovie | Varsovia | ワルシャワ
Yokohama | Yokohama | Yokohama | Yokohama | 横浜
Zurich | Zürich | Zurich | Zúrich | チューリッヒ
"""


def table(language: Language) -> str:
    """Return the table of places in this language. Each value is the first English name."""
    column = list(Language).index(language)
    countries = (
        f"places {code}: {names[language]}, {_SYNONYMS.get(code, names[language])}" for code, names in COUNTRIES.items()
    )
    cities = (line.split(" | ") for line in _CITIES.strip().splitlines())
    return "\n".join([*countries, *(f"places {names[0]}: {names[column]}" for names in cities)])
