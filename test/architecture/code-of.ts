/**
 * Source text without what only looks like code: comments and regular expressions blanked, strings replaced by their
 * number. Its own file because every rule that searches source needs it: an `import` in a fixture's string is none.
 */

export interface Code {
  /** The text, line for line; the string literal number 3 stands as `"3"`, a template's text parts are blank. */
  readonly code: string;
  /** What the string literals hold. */
  readonly strings: readonly string[];
  readonly comments: readonly string[];
}

const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|throw|new|delete|await|yield))$/;
const LEXEME = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[`{}/]/y;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;

export function codeOf(text: string): Code {
  const strings: string[] = [];
  const comments: string[] = [];
  /** Open braces; true where the closing one goes back into a template. */
  const braces: boolean[] = [];
  let code = "";
  let at = 0;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const lexeme = pattern.exec(text)?.[0];
    if (lexeme !== undefined) at += lexeme.length;
    return lexeme;
  };
  const templateText = () => {
    code += blank(take(TEMPLATE_TEXT) ?? "");
    if (text.startsWith("${", at)) {
      braces.push(true);
      code += "${";
      at += 2;
    } else {
      code += "`";
      at += 1;
    }
  };

  while (at < text.length) {
    const lexeme = take(LEXEME);
    if (lexeme === undefined) {
      code += text[at];
      at += 1;
    } else if (lexeme.startsWith("//") || lexeme.startsWith("/*")) {
      comments.push(lexeme);
      code += blank(lexeme);
    } else if (lexeme.startsWith('"') || lexeme.startsWith("'")) {
      code += `"${strings.push(lexeme.slice(1, -1)) - 1}"`;
    } else if (lexeme === "`") {
      code += "`";
      templateText();
    } else if (lexeme === "{") {
      braces.push(false);
      code += "{";
    } else if (lexeme === "}") {
      code += "}";
      if (braces.pop()) templateText();
    } else if (BEFORE_REGEX.test(code.trimEnd().slice(-12))) {
      at -= 1;
      const regex = take(REGEX);
      if (regex === undefined) at += 1;
      code += regex === undefined ? "/" : "/ /";
    } else {
      code += "/";
    }
  }
  return { code, strings, comments };
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
