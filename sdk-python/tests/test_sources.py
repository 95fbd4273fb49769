"""What the Python files promise: Python 3.9, words at everything that is public, and types that are there."""

import ast
import pathlib
import typing
import unittest

from porchlight import Porchlight, types

ROOT = pathlib.Path(__file__).parent.parent


class Sources(unittest.TestCase):
    def test_every_file_is_python_3_9(self) -> None:
        files = list(ROOT.rglob("*.py"))
        self.assertGreater(len(files), 20)
        for file in files:
            with self.subTest(str(file.relative_to(ROOT))):
                ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))

    def test_every_module_and_what_it_gives_says_what_it_is(self) -> None:
        for file in (ROOT / "src").rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            self.assertIsNotNone(ast.get_docstring(tree), file)
            for node in ast.walk(tree):
                # Of the generated types the fields are described.
                if file.name == "types.py" or not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    continue
                if not node.name.startswith("_"):
                    self.assertIsNotNone(ast.get_docstring(node), f"{file}: {node.name}")

    def test_every_annotation_leads_to_a_type(self) -> None:
        for kind in vars(types).values():
            if isinstance(kind, type):
                typing.get_type_hints(kind)
        for name in dir(Porchlight):
            if callable(getattr(Porchlight, name)) and not name.startswith("__"):
                typing.get_type_hints(getattr(Porchlight, name))

    def test_fields_are_there_or_may_be(self) -> None:
        self.assertEqual(types.Device.__required_keys__ & {"id", "alias"}, {"id"})
        self.assertEqual(types.Device.__optional_keys__ & {"id", "alias"}, {"alias"})
