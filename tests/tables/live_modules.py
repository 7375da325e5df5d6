"""Replacement of a name in all modules of live play."""

import importlib
import pkgutil
from typing import Any

import tables.live


def replace_in_live(monkeypatch: Any, name: str, value: object) -> None:
    """Replace the name in every module of tables/live that defines or imports it."""
    found = pkgutil.walk_packages(tables.live.__path__, "tables.live.")
    modules = [importlib.import_module(module.name) for module in found]
    having = [module for module in modules if hasattr(module, name)]
    assert having, name
    for module in having:
        monkeypatch.setattr(module, name, value)
