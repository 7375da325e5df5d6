"""The static files as production ships them: small, complete, and working."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.templatetags.static import static
from django.test import override_settings

from config.assets.pwa import SHELL
from config.assets.static import list_modules
from config.assets.tags import script
from tests.programs import ROOT, run_program
from tests.shipped import ESBUILD, SOURCES, find_file, needs_esbuild, ship

NODE = shutil.which("node")
MOST_OF_A_TABLE = 63_000
# Does not match types in comments, such as `import("./x.js").Name`.
IMPORT = re.compile(r'(?:from|import)\s*\(?"([^"]+)"(?!\)(?:\.[A-Z]|[}>]))')
AT_ONCE = re.compile(r'^import \{[^}]*\} from "([^"]+)";$', re.MULTILINE)
PLAIN = re.compile(r"import \{|export (?:async )?(?:function|class|const) \w")
MODULES = sorted(SOURCES.glob("js/**/*.js"))
# How templates and administration pages name the scripts and sheets that they load.
LINK = re.compile(r"""(?:{% (?:static|script) |Script\()["']((?:css|js)/[^'"]+)["']""")
PAGES = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("*/desk/*.py")]
LINKED = sorted({*SHELL, *(name for page in PAGES for name in LINK.findall(page.read_text()))})


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ship(tmp_path_factory.mktemp("shipped") / "static")


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files as the image contains them."""
    return ship(tmp_path_factory.mktemp("bundled") / "static", esbuild=ESBUILD)


def with_imports(path: Path) -> set[Path]:
    """Return a script and all the scripts that it imports, directly or not, at once or later."""
    scripts: set[Path] = set()
    waiting = [path]
    while waiting:
        script = waiting.pop()
        if script in scripts:
            continue
        scripts.add(script)
        waiting += [(script.parent / name).resolve() for name in IMPORT.findall(script.read_text())]
    return scripts


@needs_esbuild
def test_everything_that_a_page_names_is_one_file(bundled: Path) -> None:
    assert {"js/site.js", "js/desk/live_preview.js", "css/page.css"} <= {*LINKED}
    for name in LINKED:
        text = find_file(bundled, name).read_text()
        assert "@import" not in text, name
        assert not re.search(r'\bimport(?!\()[^;]*?"[./]', text), name


@needs_esbuild
def test_what_is_loaded_later_is_one_file_each(bundled: Path) -> None:
    everything = {
        path.relative_to(bundled.resolve())
        for name in LINKED
        if name.endswith(".js")
        for path in with_imports(find_file(bundled, name).resolve())
    }
    assert all(re.search(r"\.[0-9a-f]{12}\.js$", path.name) for path in everything)
    later = {re.sub(r"\.[0-9a-f]{12}", "", str(path)) for path in everything} - {*LINKED}
    coaches = {f"js/games/{game.name}/controllers/coach.js" for game in SOURCES.glob("js/games/*/")}
    coaches -= {"js/games/rummy/controllers/coach.js"}
    parts = {"js/table/effects/main.js", "js/table/panels/away.js", "js/table/panels/sit.js"}
    assert later == {"js/own_tables.js", "js/lib/moments.js", *parts, *coaches}


@needs_esbuild
@pytest.mark.parametrize("name", ["table-page", "page", "table-panels"])
def test_a_sheet_keeps_the_rules_of_those_that_it_imports(bundled: Path, name: str) -> None:
    imported = re.findall(r'@import url\("(.+?)"\)', (SOURCES / f"css/{name}.css").read_text())
    assert len(imported) > 3
    classes = list_classes(find_file(bundled, f"css/{name}.css"))
    for one in imported:
        assert list_classes(SOURCES / "css" / one) <= classes


def list_classes(sheet: Path) -> set[str]:
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    return {*re.findall(r"\.[a-z][\w-]+", rules)}


@needs_esbuild
def test_a_later_collection_bundles_what_has_changed(tmp_path: Path) -> None:
    """An upgrade collects into the previous release's folder, whose files may look newer than the sources."""
    source, root = tmp_path / "source", tmp_path / "root"
    (source / "js").mkdir(parents=True)
    (source / "js/main.js").write_text('import { told } from "./part.js";\nconsole.log(told);\n')
    for told in ("before", "after"):
        (source / "js/part.js").write_text(f'export const told = "{told}";\n')
        with collecting(source, root):
            call_command("collectstatic", interactive=False, verbosity=0)
        assert told in find_file(root, "js/main.js").read_text()


@contextmanager
def collecting(source: Path, root: Path) -> Iterator[None]:
    storage = {"BACKEND": "config.assets.static.ModuleStorage"}
    finders = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    with (
        pytest.MonkeyPatch.context() as patch,
        override_settings(
            STATICFILES_DIRS=[source],
            STATIC_ROOT=root,
            STATICFILES_FINDERS=finders,
            STORAGES={**settings.STORAGES, "staticfiles": storage},
        ),
    ):
        patch.setenv("ESBUILD", str(ESBUILD))
        yield


def test_a_page_names_the_modules_that_its_script_needs() -> None:
    """Without a bundle, a browser would otherwise discover the modules one after another."""
    needed = {(SOURCES / "js/games/indian/main.js")}
    while (
        more := {
            (path.parent / name).resolve()
            for path in needed
            for name in AT_ONCE.findall(path.read_text())
        }
        - needed
    ):
        needed |= more
    names = {str(path.relative_to(SOURCES)) for path in needed} - {"js/games/indian/main.js"}
    assert len(names) > 50
    element = script("js/games/indian/main.js", blocking="render")
    address = static("js/games/indian/main.js")
    assert element.startswith(f'<script type="module" src="{address}" blocking="render"></script>')
    links = re.findall(r'<link rel="modulepreload" href="([^"]+)">', element)
    assert sorted(links) == sorted(static(name) for name in names)
    assert script("js/scripts.js").count("<") == 2


@needs_esbuild
def test_collected_scripts_need_others_only_without_a_bundle(shipped: Path, bundled: Path) -> None:
    needed = []
    for root in (shipped, bundled):
        with collecting(SOURCES, root):
            needed.append(list_modules.__wrapped__("js/site.js"))
    assert "js/lib/prefs.js" in needed[0]
    assert needed[1] == []


def test_only_used_files_of_other_packages_are_collected() -> None:
    names = {name for finder in get_finders() for name, _storage in finder.list([])}
    assert "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in names
    assert not any("redoc" in name for name in names)


@pytest.mark.parametrize(
    "name", ["js/games/indian/main.js", "js/site.js", "js/me.js", "js/table/panels/main.js"]
)
def test_every_import_exists_under_its_hashed_name(shipped: Path, name: str) -> None:
    for file in with_imports(find_file(shipped, name).resolve()):
        assert re.search(r"\.[0-9a-f]{12}\.js$", file.name), file.name
        assert file.exists()


def test_modules_import_in_the_one_way_that_is_followed() -> None:
    assert len(MODULES) > 40
    for path in MODULES:
        for line in re.findall(r"^(?:import|export)\b.*", path.read_text(), re.MULTILINE):
            assert PLAIN.match(line), f"{path.name}: {line}"


def list_exports(script: str) -> set[str]:
    """Return the names that the script exports."""
    said = re.findall(r"\bexport (?:async )?(?:function|class|const) (\w+)", script)
    listed = re.findall(r"\bexport\{([^}]*)\}", script)
    return {*said, *(one.split()[-1] for names in listed for one in names.split(","))}


@needs_esbuild
@pytest.mark.parametrize(
    "name", ["js/site.js", "js/me.js", "js/games/indian/main.js", "js/table/panels/main.js"]
)
def test_a_bundle_is_a_script_with_the_same_exports(bundled: Path, name: str) -> None:
    whole = find_file(bundled, name)
    assert list_exports((SOURCES / name).read_text()) == list_exports(whole.read_text())
    ran = subprocess.run(
        [str(NODE), "--input-type=module", "--check"],
        input=whole.read_bytes(),
        check=False,
        capture_output=True,
    )
    assert ran.returncode == 0, ran.stderr


def test_the_shipped_scripts_pass_their_tests(shipped: Path, tmp_path: Path) -> None:
    # Copied, not linked: through a link the tests would import the sources instead.
    shutil.copytree(ROOT / "js_tests", tmp_path / "js_tests")
    for name in ("games", "tables", "tests/vectors", "package.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    hashed = shutil.ignore_patterns("*.????????????.js")
    shutil.copytree(shipped / "js", tmp_path / "static/js", ignore=hashed)
    scripts = list((tmp_path / "static/js").rglob("*.js"))
    assert len(scripts) > 40
    run_program(str(NODE), "--test", "js_tests/*.test.mjs", cwd=tmp_path, check=True)


# They override third-party rules that are in no layer.
WITHOUT_LAYER = {"administration.css", "swagger.css"}
LAYERS = {*(f"@layer {name} {{" for name in ("base", "shell", "game", "phone")), "@font-face {"}


@pytest.mark.parametrize("sheet", sorted((ROOT / "static/css").glob("*.css")), ids=lambda p: p.name)
def test_every_rule_of_a_sheet_is_in_a_layer(sheet: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    outside = {line for line in rules.splitlines() if re.match(r"[^\s}].*[{,]$", line)}
    assert (outside <= LAYERS) == (sheet.name not in WITHOUT_LAYER)
