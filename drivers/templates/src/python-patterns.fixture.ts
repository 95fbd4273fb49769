/** What Python 3.11 finds with regular expressions: its own answers, and none of ours. */

export interface PythonAnswer {
  readonly pattern: string;
  readonly ignoresCase: boolean;
  readonly text: string;
  /** Of `re.match`. */
  readonly isMatch: boolean;
  /** Of `re.findall`. */
  readonly all: readonly (string | readonly string[])[];
  /** Of `re.sub` with `<\\g<0>>`. */
  readonly replaced: string;
}

type Row = readonly [string, boolean, string, boolean, readonly (string | readonly string[])[], string];

const ROWS: readonly Row[] = [
  ["[]a]", false, "aab", true, ["a", "a"], "<a><a>b"],
  ["[]a]", false, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["a{,5}", false, "aab", true, ["aa", "", ""], "<aa><>b<>"],
  ["a{,5}", false, "aaa!", true, ["aaa", "", ""], "<aaa><>!<>"],
  ["a{}", false, "a{}b {a}", true, ["a{}"], "<a{}>b {a}"],
  ["(?:(?:a+)+){}", false, "a{}b {a}", true, ["a{}"], "<a{}>b {a}"],
  ["(a|a)*$", false, "aab", false, [""], "aab<>"],
  ["(a|a)*$", false, "aaa!", false, [""], "aaa!<>"],
  ["a{2}b", false, "aab", true, ["aab"], "<aab>"],
  ["{a}", false, "a{}b {a}", false, ["{a}"], "a{}b <{a}>"],
  ["a{1,2}?", false, "aab", true, ["a", "a"], "<a><a>b"],
  ["a{1,2}?", false, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["x*", false, "aab", true, ["", "", "", ""], "<>a<>a<>b<>"],
  ["x*", false, "aaa!", true, ["", "", "", "", ""], "<>a<>a<>a<>!<>"],
  ["(a)|b", false, "aab", true, ["a", "a", ""], "<a><a><b>"],
  ["(a)|b", false, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["(?P<n>a+)b", false, "aab", true, ["aa"], "<aab>"],
  ["(?P<n>a+)b", false, "AB ab\u00a0é/", false, ["a"], "AB <ab>\u00a0é/"],
  ["(?i)AB", false, "aab", false, ["ab"], "a<ab>"],
  ["(?i)AB", false, "AB ab\u00a0é/", true, ["AB", "ab"], "<AB> <ab>\u00a0é/"],
  ["(?i:A)b", false, "aab", false, ["ab"], "a<ab>"],
  ["(?i:A)b", false, "AB ab\u00a0é/", false, ["ab"], "AB <ab>\u00a0é/"],
  ["A", true, "aab", true, ["a", "a"], "<a><a>b"],
  ["A", true, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["\\Aa", false, "aab", true, ["a"], "<a>ab"],
  ["\\Aa", false, "aaa!", true, ["a"], "<a>aa!"],
  ["\\x61\\u0062", false, "aab", false, ["ab"], "a<ab>"],
  ["\\x61\\u0062", false, "AB ab\u00a0é/", false, ["ab"], "AB <ab>\u00a0é/"],
  ["\\141", false, "aab", true, ["a", "a"], "<a><a>b"],
  ["\\141", false, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["[\\d.]+", false, "12-34 a.b@c", true, ["12", "34", "."], "<12>-<34> a<.>b@c"],
  ["[^\\d]", false, "aab", true, ["a", "a", "b"], "<a><a><b>"],
  ["[^\\d]", false, "aaa!", true, ["a", "a", "a", "!"], "<a><a><a><!>"],
  ["\\s+", false, "a{}b {a}", false, [" "], "a{}b< >{a}"],
  ["\\s+", false, "b]a\n b", false, ["\n "], "b]a<\n >b"],
  ["[\\s]", false, "a{}b {a}", false, [" "], "a{}b< >{a}"],
  ["[\\s]", false, "b]a\n b", false, ["\n", " "], "b]a<\n>< >b"],
  ["[[:a]", false, "aab", true, ["a", "a"], "<a><a>b"],
  ["[[:a]", false, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["\\bab\\b", false, "AB ab\u00a0é/", false, ["ab"], "AB <ab>\u00a0é/"],
  ["(?m)^b", false, "b]a\n b", true, ["b"], "<b>]a\n b"],
  ["(?s)a.b", false, "aab", true, ["aab"], "<aab>"],
  ["(?s)a.b", false, "12-34 a.b@c", false, ["a.b"], "12-34 <a.b>@c"],
  ["a.b", false, "aab", true, ["aab"], "<aab>"],
  ["a.b", false, "12-34 a.b@c", false, ["a.b"], "12-34 <a.b>@c"],
  ["a(?#x)+", false, "aab", true, ["aa"], "<aa>b"],
  ["a(?#x)+", false, "aaa!", true, ["aaa"], "<aaa>!"],
  ["(?:ab|a)(c?)", false, "aab", true, ["", ""], "<a><ab>"],
  ["(?:ab|a)(c?)", false, "aaa!", true, ["", "", ""], "<a><a><a>!"],
  ["[a\\]]+", false, "aab", true, ["aa"], "<aa>b"],
  ["[a\\]]+", false, "aaa!", true, ["aaa"], "<aaa>!"],
  ["\\{|\\}", false, "a{}b {a}", false, ["{", "}", "{", "}"], "a<{><}>b <{>a<}>"],
  ["^$", false, "", true, [""], "<>"],
  ["[-a]", false, "aab", true, ["a", "a"], "<a><a>b"],
  ["[-a]", false, "aaa!", true, ["a", "a", "a"], "<a><a><a>!"],
  ["\\-", false, "12-34 a.b@c", false, ["-"], "12<->34 a.b@c"],
  ["(?P<x>\\d+)-(?P<y>\\d+)", false, "12-34 a.b@c", true, [["12", "34"]], "<12-34> a.b@c"],
  ["\\/", false, "AB ab\u00a0é/", false, ["/"], "AB ab\u00a0é</>"],
  ["[\\w.]+@", false, "12-34 a.b@c", false, ["a.b@"], "12-34 <a.b@>c"],
  ["é+", false, "AB ab\u00a0é/", false, ["é"], "AB ab\u00a0<é>/"],
];

export const PYTHON_ANSWERS: readonly PythonAnswer[] = ROWS.map(
  ([pattern, ignoresCase, text, isMatch, all, replaced]) => ({ pattern, ignoresCase, text, isMatch, all, replaced }),
);
