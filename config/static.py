"""Static files with hashed names, the imports inside our own ES modules included."""

from servestatic.storage import CompressedManifestStaticFilesStorage as Hashed

_ANY_FILE, _IMPORTS = Hashed._js_module_import_aggregation_patterns  # noqa: SLF001 - Django's name


class ModuleStorage(Hashed):  # type: ignore[misc] # untyped base
    # Without the new names in its imports a new main.js would go on loading the old modules from
    # the browser's cache. Our modules alone: libraries have comments that look like imports.
    patterns = (*Hashed.patterns, ("js/*.js", _IMPORTS))
    # One pass for each step of the longest chain of imports (they are acyclic, see js_tests).
    max_post_process_passes = 20
