"""The static files as production ships them: small, whole, and still right."""

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import get_finders

from config.assets.static import bundle
from tests.programs import ROOT, run_program
from tests.shipped import ESBUILD, SOURCES, find_file, needs_esbuild, ship

NODE = shutil.which("node")
MOST_OF_A_TABLE = 63_000
# Without the types in comments, `import("./x.js").Name`.
IMPORT = re.compile(r'(?:from|import)\s*\(?"([^"]+)"(?!\)(?:\.[A-Z]|[}>]))')
PLAIN = re.compile(r"import \{|export (?:async )?(?:function|class|const) \w")
USES = re.compile(
    r"^const module\$(\d+) = \(\(\) => {\nconst { .*? } = module\$(\d+);", re.MULTILINE
)
MODULES = sorted(SOURCES.glob("js/**/*.js"))
LINK = re.compile(r"{% static '((?:css|js)/[^']+)' %}")


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ship(tmp_path_factory.mktemp("shipped") / "static")


def with_imports(path: Path) -> set[Path]:
    """A script and everything that it loads, sooner or later."""
    scripts: set[Path] = set()
    waiting = [path]
    while waiting:
        script = waiting.pop()
        if script in scripts:
            continue
        scripts.add(script)
        waiting += [(script.parent / name).resolve() for name in IMPORT.findall(script.read_text())]
    return scripts


def size(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


@pytest.mark.parametrize(("name", "count"), [("table-page", 11), ("page", 5)])
def test_the_stylesheets_of_a_page_are_bundled(shipped: Path, name: str, count: int) -> None:
    sheet = find_file(shipped, f"css/{name}.css").read_text()
    assert "@import" not in sheet
    source = (SOURCES / f"css/{name}.css").read_text()
    imported = re.findall(r'@import url\("(.+?)"\)', source)
    assert len(imported) == count
    for one in imported:
        own = (SOURCES / "css" / one).read_text()
        assert "url(" not in own, "its name would not be hashed"
        assert sheet.count("{") >= own.count("{")
    everything = sum((SOURCES / "css" / one).read_text().count("{") for one in imported)
    assert sheet.count("{") == sheet.count("}") == everything + source.count("{")


@pytest.mark.parametrize(
    "name",
    [
        "js/me.js",
        "js/games/indian/main.js",
        "js/games/indian/controllers/coach.js",
        "js/games/indian/replay/main.js",
    ],
)
def test_the_modules_of_a_page_are_bundled_in_order(shipped: Path, name: str) -> None:
    script = find_file(shipped, name).read_text()
    assert not re.search(r"^import\b", script, re.MULTILINE)
    parts = re.findall(r"^const module\$(\d+) = ", script, re.MULTILINE)
    assert len(parts) > 5
    # What a part needs stands before it.
    for number, used in re.findall(USES, script):
        assert int(used) < int(number), "a module stands before one that it needs"


def test_only_used_files_of_other_packages_are_collected() -> None:
    names = {name for finder in get_finders() for name, _storage in finder.list([])}
    assert "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in names
    assert not any("redoc" in name for name in names)


def test_bundled_modules_behave_as_the_separate_ones(tmp_path: Path) -> None:
    modules = {
        "a/main.js": """\
import { add } from "./b.js";
import {
  one,
} from "../c.js";
console.log(add(one));
""",
        "a/b.js": """\
import { one } from "../c.js";
const own = one;
export function add(to) { return to + own + 1; }
""",
        "c.js": """\
const own = 3;
export const one = own;
export class Two {}
export async function three() {}
""",
    }
    whole = tmp_path / "whole.mjs"
    whole.write_text(bundle("a/main.js", modules["a/main.js"], modules.__getitem__))
    assert run_program(str(NODE), whole).stdout == "7\n"


@pytest.mark.parametrize(
    "name", ["js/games/indian/main.js", "js/site.js", "js/me.js", "js/table/panels/main.js"]
)
def test_every_import_exists_under_its_hashed_name(shipped: Path, name: str) -> None:
    for file in with_imports(find_file(shipped, name).resolve()):
        assert re.search(r"\.[0-9a-f]{12}\.js$", file.name), file.name
        assert file.exists()


def test_modules_use_only_syntax_the_bundler_reads() -> None:
    assert len(MODULES) > 40
    for path in MODULES:
        for line in re.findall(r"^(?:import|export)\b.*", path.read_text(), re.MULTILINE):
            assert PLAIN.match(line), f"{path.name}: {line}"
        assert "import.meta" not in path.read_text()
        taken = re.findall(r"^import \{([^}]*)\}", path.read_text(), re.MULTILINE)
        assert not any(" as " in words for words in taken), f"{path.name} changes a name"
        assert "module$" not in path.read_text(), "a name that a bundle uses"


def list_exports(script: str) -> set[str]:
    """Return the names that others may import."""
    said = re.findall(r"\bexport (?:async )?(?:function|class|const) (\w+)", script)
    listed = re.findall(r"\bexport\{([^}]*)\}", script)
    return {*said, *(one.split()[-1] for names in listed for one in names.split(","))}


@needs_esbuild
def test_esbuild_makes_scripts_smaller_with_the_same_exports(shipped: Path, tmp_path: Path) -> None:
    bundles = ["js/site.js", "js/me.js", "js/games/indian/main.js", "js/table/panels/main.js"]
    sources = {path for name in ("js/theme.js", *bundles) for path in with_imports(SOURCES / name)}
    smaller = ship(tmp_path / "smaller", sources, esbuild=ESBUILD)
    before, after = (
        sum(size(find_file(root, name)) for name in bundles) for root in (shipped, smaller)
    )
    assert after < 0.9 * before
    for name in bundles:
        texts = [find_file(root, name).read_text() for root in (shipped, smaller)]
        assert list_exports(texts[0]) == list_exports(texts[1]), name
        ran = subprocess.run(
            [str(NODE), "--input-type=module", "--check"],
            input=find_file(smaller, name).read_bytes(),
            check=False,
            capture_output=True,
        )
        assert ran.returncode == 0, ran.stderr
    assert list_exports(find_file(smaller, "js/table/panels/main.js").read_text())
    theme, minified = (find_file(root, "js/theme.js").read_text() for root in (shipped, smaller))
    assert len(minified) < len(theme)


def test_the_shipped_scripts_pass_their_tests(shipped: Path, tmp_path: Path) -> None:
    # Copied and not linked, or the tests would find the sources again.
    shutil.copytree(ROOT / "js_tests", tmp_path / "js_tests")
    for name in ("games", "tables", "tests/vectors", "package.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    hashed = shutil.ignore_patterns("*.????????????.js")
    shutil.copytree(shipped / "js", tmp_path / "static/js", ignore=hashed)
    scripts = list((tmp_path / "static/js").rglob("*.js"))
    assert len(scripts) > 40
    run_program(str(NODE), "--test", "js_tests/*.test.mjs", cwd=tmp_path, check=True)


# They change rules of others, which are in no layer.
WITHOUT_LAYER = {"administration.css", "swagger.css"}
LAYERS = {*(f"@layer {name} {{" for name in ("base", "shell", "game", "phone")), "@font-face {"}


@pytest.mark.parametrize("sheet", sorted((ROOT / "static/css").glob("*.css")), ids=lambda p: p.name)
def test_every_rule_of_a_sheet_is_in_a_layer(sheet: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    outside = {line for line in rules.splitlines() if re.match(r"[^\s}].*[{,]$", line)}
    assert (outside <= LAYERS) == (sheet.name not in WITHOUT_LAYER)
