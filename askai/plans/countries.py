"""The names of countries in the languages of questions. Locations have their ISO 3166 codes."""

from collections.abc import Mapping

LANGUAGES = ("en", "de", "fr", "es", "ja")

# Each line has a code, and the names in the order of LANGUAGES.
_LINES = """
AE|United Arab Emirates|Vereinigte Arabische Emirate|Émirats arabes unis|Emiratos Árabes Unidos|アラブ首長国連邦
AR|Argentina|Argentinien|Argentine|Argentina|アルゼンチン
AT|Austria|Österreich|Autriche|Austria|オーストリア
AU|Australia|Australien|Australie|Australia|オーストラリア
BE|Belgium|Belgien|Belgique|Bélgica|ベルギー
BG|Bulgaria|Bulgarien|Bulgarie|Bulgaria|ブルガリア
BR|Brazil|Brasilien|Brésil|Brasil|ブラジル
BY|Belarus|Belarus|Biélorussie|Bielorrusia|ベラルーシ
CA|Canada|Kanada|Canada|Canadá|カナダ
CH|Switzerland|Schweiz|Suisse|Suiza|スイス
CL|Chile|Chile|Chili|Chile|チリ
CN|China|China|Chine|China|中国
CO|Colombia|Kolumbien|Colombie|Colombia|コロンビア
CZ|Czechia|Tschechien|Tchéquie|Chequia|チェコ
DE|Germany|Deutschland|Allemagne|Alemania|ドイツ
DK|Denmark|Dänemark|Danemark|Dinamarca|デンマーク
EE|Estonia|Estland|Estonie|Estonia|エストニア
EG|Egypt|Ägypten|Égypte|Egipto|エジプト
ES|Spain|Spanien|Espagne|España|スペイン
FI|Finland|Finnland|Finlande|Finlandia|フィンランド
FR|France|Frankreich|France|Francia|フランス
GB|United Kingdom|Vereinigtes Königreich|Royaume-Uni|Reino Unido|イギリス
GR|Greece|Griechenland|Grèce|Grecia|ギリシャ
HR|Croatia|Kroatien|Croatie|Croacia|クロアチア
HU|Hungary|Ungarn|Hongrie|Hungría|ハンガリー
ID|Indonesia|Indonesien|Indonésie|Indonesia|インドネシア
IE|Ireland|Irland|Irlande|Irlanda|アイルランド
IL|Israel|Israel|Israël|Israel|イスラエル
IN|India|Indien|Inde|India|インド
IR|Iran|Iran|Iran|Irán|イラン
IS|Iceland|Island|Islande|Islandia|アイスランド
IT|Italy|Italien|Italie|Italia|イタリア
JP|Japan|Japan|Japon|Japón|日本
KE|Kenya|Kenia|Kenya|Kenia|ケニア
KR|South Korea|Südkorea|Corée du Sud|Corea del Sur|韓国
LT|Lithuania|Litauen|Lituanie|Lituania|リトアニア
LU|Luxembourg|Luxemburg|Luxembourg|Luxemburgo|ルクセンブルク
LV|Latvia|Lettland|Lettonie|Letonia|ラトビア
MA|Morocco|Marokko|Maroc|Marruecos|モロッコ
MX|Mexico|Mexiko|Mexique|México|メキシコ
MY|Malaysia|Malaysia|Malaisie|Malasia|マレーシア
NG|Nigeria|Nigeria|Nigeria|Nigeria|ナイジェリア
NL|Netherlands|Niederlande|Pays-Bas|Países Bajos|オランダ
NO|Norway|Norwegen|Norvège|Noruega|ノルウェー
NZ|New Zealand|Neuseeland|Nouvelle-Zélande|Nueva Zelanda|ニュージーランド
PE|Peru|Peru|Pérou|Perú|ペルー
PH|Philippines|Philippinen|Philippines|Filipinas|フィリピン
PK|Pakistan|Pakistan|Pakistan|Pakistán|パキスタン
PL|Poland|Polen|Pologne|Polonia|ポーランド
PT|Portugal|Portugal|Portugal|Portugal|ポルトガル
RO|Romania|Rumänien|Roumanie|Rumania|ルーマニア
RS|Serbia|Serbien|Serbie|Serbia|セルビア
RU|Russia|Russland|Russie|Rusia|ロシア
SA|Saudi Arabia|Saudi-Arabien|Arabie saoudite|Arabia Saudita|サウジアラビア
SE|Sweden|Schweden|Suède|Suecia|スウェーデン
SG|Singapore|Singapur|Singapour|Singapur|シンガポール
SI|Slovenia|Slowenien|Slovénie|Eslovenia|スロベニア
SK|Slovakia|Slowakei|Slovaquie|Eslovaquia|スロバキア
TH|Thailand|Thailand|Thaïlande|Tailandia|タイ
TR|Turkey|Türkei|Turquie|Turquía|トルコ
TW|Taiwan|Taiwan|Taïwan|Taiwán|台湾
UA|Ukraine|Ukraine|Ukraine|Ucrania|ウクライナ
US|United States|USA|États-Unis|Estados Unidos|アメリカ
VN|Vietnam|Vietnam|Viêt Nam|Vietnam|ベトナム
ZA|South Africa|Südafrika|Afrique du Sud|Sudáfrica|南アフリカ
"""

COUNTRIES: Mapping[str, Mapping[str, str]] = {
    code: dict(zip(LANGUAGES, names, strict=True))
    for code, *names in (line.split("|") for line in _LINES.split("\n") if line)
}
"""The names of each country, by its code and the language."""
