from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from octavo.engines.languages import TESSERACT, beyond_pp_ocr, known, parse, scripts_of
from octavo.engines.pipeline.networks import load
from octavo.engines.pipeline.recognition import Recognizer
from octavo.engines.pipeline.runtime import choose
from octavo.errors import UsageError
from octavo.settings import Settings

TIERS = ("standard", "fast")
LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

# The letters that a language's alphabet or spelling has besides a to z, and a line of its text.
LETTERS = {
    "af": ("êëéèîïôûáóúí", "Môre gaan ons vir 'n êrige reünie"),
    "az": ("çəğıöşüƏİ", "Azərbaycan xalqı öz gələcəyini müəyyən edir"),
    "br": ("êñùüâô", "Ar brezhoneg a zo ur yezh keltiek"),
    "bs": ("čćđšžČŠŽ", "Čaša, šljiva, žaba, ćevapi, đak"),
    "ca": ("àçéèíïóòúü·", "L'àvia col·laborà amb el núvol"),
    "ceb": ("", "Ang tanang katawhan gipakatawo"),
    "co": ("àèìòù", "U Corsu hè una lingua, chjesa"),
    "cs": ("áčďéěíňóřšťúůýž", "Příliš žluťoučký kůň úpěl"),
    "da": ("æøåÆØÅ", "Høj bly gom vandt fræk sexquiz på wc"),
    "de": ("äöüßÄÖÜ", "Zwölf Boxkämpfer jagen Viktor quer"),
    "en": ("", "The quick brown fox jumps over the dog"),
    "es": ("áéíñóúü¿", "El veloz murciélago hindú comía feliz"),
    "et": ("äõöüšž", "Põdur Zagrebi tšellomängija Ciqo"),
    "eu": ("ñ", "Gizon-emakume guztiak aske jaiotzen dira"),
    "fi": ("äöåÄÖ", "Törkylempijävongahdus, hyvää päivää"),
    "fo": ("áðíóúýæø", "Føroyingar eiga ein ríkan mentanararv"),
    "fr": ("àâæçéèêëîïôœùûüÿ", "Portez ce vieux whisky au juge blond"),
    "fy": ("âêéëôúû", "Alle minsken wurde frij berne"),
    "ga": ("áéíóú", "D'fhuascail Íosa, Úrmhac na hÓighe"),
    "gd": ("àèìòù", "Tha Gàidhlig mhath agam, còig, sìth"),
    "gl": ("áéíóúñü", "Todos os seres humanos nacen libres"),
    "hr": ("čćđšž", "Gojazni đačić s biciklom drži hmelj"),
    "ht": ("èòà", "Tout moun fèt lib, egal ego"),
    "hu": ("áéíóöőúüű", "Árvíztűrő tükörfúrógép"),
    "id": ("", "Semua orang dilahirkan merdeka"),
    "is": ("áðéíóúýþæö", "Kæmi ný öxi hér ykist þjófum nú"),
    "it": ("àèéìòù", "Quel vituperabile xenofobo, perché"),
    "ja": ("あいうえおかんアイウエオカン東京都", ""),
    "jv": ("éè", "Saben uwong kalairake kanthi mardika"),
    "ku": ("çêîşû", "Cem vî Feqoyê pîs zêdetir"),
    "la": ("āēīōū", "Gāius domō exiit, rēgīna, mūrus"),
    "lb": ("äëéü", "Wou d'Musel durech d'Wise zéit"),
    "lt": ("ąčęėįšųūž", "Įlinkdama fechtuotojo špaga"),
    "lv": ("āčēģīķļņšūž", "Glāžšķūņa rūķīši dzērumā čiepj"),
    "mi": ("āēīōū", "He wāhi tino pai tēnei, kōrero"),
    "ms": ("", "Semua manusia dilahirkan bebas"),
    "mt": ("ċġħż", "Il-ħobż, iż-żmien, ġobon, ċavetta"),
    "nl": ("ëïéè", "Pa's wijze lynx bezag vroom het fikse"),
    "no": ("æøåÆØÅ", "Vår sære Zulu fra badeøya spilte"),
    "oc": ("áàçéèíóòú", "Lo país, l'òme, çò que, aquò"),
    "pl": ("ąćęłńóśźż", "Pchnąć w tę łódź jeża lub ośm"),
    "pt": ("ãáâàçéêíõóôú", "À noite, vovô Kowalsky vê o ímã"),
    "qu": ("ñ", "Ñuqanchik llaqta, ñawi, wasi"),
    "ro": ("ăâîșțȘȚ", "Muzicologă în bej vând whisky și preț"),
    "sl": ("čšž", "V kožuščku hudobnega fanta stopiclja"),
    "sq": ("çëÇË", "Unë mund të ha qelq dhe nuk më gjen"),
    "sr-latn": ("čćđšž", "Ljubazni fenjerdžija čađavog lica"),
    "su": ("é", "Sakumna jalma gubrag ka alam dunya"),
    "sv": ("äåöÄÅÖ", "Flygande bäckasiner söka hwila"),
    "sw": ("", "Watu wote wamezaliwa huru"),
    "tl": ("ñ", "Ang niño at señor ay nagpunta"),
    "tr": ("çğıöşüİ", "Pijamalı hasta yağız şoföre çabucak"),
    "uz": ("", "Barcha odamlar erkin, qadr-qimmat"),
    "zh": ("人生而自由在尊严和权利上一律平等", ""),
    "zh-hans": ("人生而自由在尊严和权利上一律平等", ""),
    "zh-hant": ("人生而自由在尊嚴和權利上一律平等", ""),
    # Letters that no network has.
    "am": ("ሰው", ""),
    "ar": ("يولد", ""),
    "be": ("ўі", ""),
    "bg": ("щъ", ""),
    "bn": ("মানুষ", ""),
    "fa": ("پچگ", ""),
    "grc": ("ἀῆᾳ", ""),
    "he": ("אבג", ""),
    "hi": ("मनुष्य", ""),
    "hy": ("աբգ", ""),
    "ka": ("აბგ", ""),
    "kk": ("әғқ", ""),
    "ko": ("모든인간", ""),
    "ru": ("абвгд", ""),
    "sr": ("љњћ", ""),
    "ta": ("மனிதர்", ""),
    "th": ("มนุษย์", ""),
    "uk": ("їєґ", ""),
    "vi": ("ạảấầẩẫậắằẳẵặẹẻẽếềểễệ", ""),
    "yo": ("ẹọṣ", ""),
}
# The network has the letters, and does not read them: the reasons stand beside the table of languages.
MISREAD = {
    "standard": {"cy", "de-fraktur", "el", "eo", "sk"},
    "fast": {"cy", "de-fraktur", "el", "eo", "sk", "et", "hu", "is", "lt", "lv", "tr"},
}
# It lacks some of the letters, and reads more of a page than Tesseract does.
BETTER_ALL_THE_SAME = {"standard": set[str](), "fast": {"zh-hant"}}


@pytest.fixture(scope="module", params=TIERS)
def tier(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def recognizer(tier: str, models_dir: Path) -> Recognizer:
    return load(Settings(models_dir=str(models_dir), tier=tier), choose("auto")).recognizer


def test_the_languages_left_to_pp_ocr_are_those_whose_letters_it_has(tier: str, recognizer: Recognizer) -> None:
    for code, (letters, _) in LETTERS.items():
        lacking = [letter for letter in letters + LATIN if not recognizer.knows(letter)]
        beyond = (bool(lacking) and code not in BETTER_ALL_THE_SAME[tier]) or code in MISREAD[tier]
        assert (code, beyond_pp_ocr((code,), tier)) == (code, beyond), lacking


def test_every_language_left_to_pp_ocr_is_checked_here(tier: str) -> None:
    assert {code for code in TESSERACT if not beyond_pp_ocr((code,), tier)} <= LETTERS.keys()
    assert all(beyond_pp_ocr((code,), tier) for code in MISREAD[tier])


def test_pp_ocr_reads_a_line_of_each_of_its_languages(tier: str, recognizer: Recognizer) -> None:
    from difflib import SequenceMatcher

    path = Path("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")
    if not path.is_file():
        pytest.skip("the font DejaVu Serif is not installed (Debian: fonts-dejavu-core)")
    font = ImageFont.truetype(path, 32)
    wrong = {}
    for code, (_, text) in LETTERS.items():
        if not text or beyond_pp_ocr((code,), tier):
            continue
        image = Image.new("RGB", (int(font.getlength(text)) + 20, 48), "white")
        ImageDraw.Draw(image).text((10, 4), text, font=font, fill="black")
        told = recognizer.read(np.asarray(image)).text
        if SequenceMatcher(None, text, told, autojunk=False).ratio() < 0.9:
            wrong[code] = told
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("auto", ("auto",)),
        (" AUTO ", ("auto",)),
        ("ru", ("ru",)),
        ("ru+en", ("ru", "en")),
        ("ru, en,ru", ("ru", "en")),
        ("rus", ("ru",)),
        ("chi_sim", ("zh",)),
        ("chi_tra", ("zh-hant",)),
        ("zh-TW", ("zh-hant",)),
        ("zh_CN", ("zh-hans",)),
        ("en-US+pt_BR", ("en", "pt")),
        ("nb", ("no",)),
        ("srp_latn", ("sr-latn",)),
        ("frk", ("de-fraktur",)),
    ],
)
def test_codes_as_people_write_them(text: str, codes: tuple[str, ...]) -> None:
    assert parse(text) == codes


@pytest.mark.parametrize(
    ("text", "words"),
    [("klingon", "'klingon'"), ("", "''"), ("ru+", "''"), ("ruu", "did you mean 'ru'"), ("en-fraktur", "en-fraktur")],
)
def test_unknown_codes_are_told(text: str, words: str) -> None:
    with pytest.raises(UsageError, match="unknown language") as fault:
        parse(text)
    assert words in fault.value.message


def test_codes_are_known_in_any_spelling() -> None:
    assert known(("rus", "en-GB", "auto")) == ("ru", "en", "auto")
    assert beyond_pp_ocr(("rus",), "standard")
    assert not beyond_pp_ocr(("auto",), "fast")
    assert beyond_pp_ocr(("en", "ru"), "standard"), "one language is enough"
    with pytest.raises(UsageError):
        beyond_pp_ocr(("klingon",), "standard")


def test_debian_has_a_package_for_every_name() -> None:
    if not shutil.which("apt-cache"):
        pytest.skip("this is no Debian")
    told = subprocess.run(["apt-cache", "pkgnames", "tesseract-ocr-"], capture_output=True, text=True, check=False)
    packages = set(told.stdout.split())
    if "tesseract-ocr-deu" not in packages:
        pytest.skip("the package lists are not here (apt-get update)")
    assert {"tesseract-ocr-" + name.replace("_", "-") for name in TESSERACT.values()} <= packages


codes = st.sampled_from([*TESSERACT, "auto"])


@given(st.lists(codes, min_size=1, max_size=5), st.sampled_from("+,"), st.booleans())
def test_codes_survive_being_written_and_read(wanted: list[str], joint: str, upper: bool) -> None:
    text = joint.join(code.upper() if upper else code for code in wanted)
    assert parse(text) == tuple(dict.fromkeys(wanted))
    assert known(parse(text)) == parse(text)


@given(st.lists(st.sampled_from(["ru", "EN", "zh_TW", "en-US", "chi_tra", " fr ", "nb", "srp-latn"]), min_size=1))
def test_however_codes_are_written_they_come_out_as_we_write_them(parts: list[str]) -> None:
    found = parse("+".join(parts))
    assert set(found) <= TESSERACT.keys()
    assert parse("+".join(found)) == found


def test_each_network_says_which_scripts_it_reads() -> None:
    assert "Japanese" in scripts_of("standard")
    assert "Japanese" not in scripts_of("fast")
    assert all({"Latin", "Han"} <= scripts_of(tier) for tier in TIERS)
