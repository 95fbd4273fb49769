"""References out of what people type."""

import unittest

from porchlight import ref


class References(unittest.TestCase):
    def test_parts_are_joined_from_the_outside_in(self) -> None:
        self.assertEqual(ref("env_1", "ground floor", "lamp"), "env_1;ground floor;lamp")
        self.assertEqual(ref("env_1", "Ku\u0308che"), "env_1;K\u00fcche")

    def test_what_could_lead_elsewhere_is_refused(self) -> None:
        for part in ("", "a;b", "a/b", "a?b", "a#b", "a%2F", "a\nb", " a", "a\u00a0", "\ufeffa", "x" * 129):
            with self.subTest(part), self.assertRaises(ValueError):
                ref("env_1", part)
        with self.assertRaises(ValueError):
            ref()
