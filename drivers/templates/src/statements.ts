/** Parses statements: text, `{{ … }}`, `set`, `if` and `for`, each up to its end. */
import type { Branch, Expression, Statement } from "./arithmetic.ts";
import { isConstant, parseEither, parseExpression } from "./expressions.ts";
import { TemplateError } from "./python-values.ts";
import { type Chunk, Tokens } from "./tokens.ts";

const DEEPEST = 50;

/** @throws TemplateError for an unknown statement, or a statement without an end */
export function parseStatements(chunks: readonly Chunk[]): Statement[] {
  const parser = new StatementParser(chunks);
  const { body, ended } = parser.block([]);
  if (ended !== "") throw new TemplateError(`${ended} is not allowed here`);
  return body;
}

interface Block {
  readonly body: Statement[];
  /** The word that ended the block; empty at the end of the template. */
  readonly ended: string;
  /** The tokens behind that word. */
  readonly tokens: Tokens;
}

class StatementParser {
  readonly #chunks: readonly Chunk[];
  #at = 0;
  #depth = 0;

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
  }

  /** Parses statements up to one of these words, or the end. */
  block(ends: readonly string[]): Block {
    if (++this.#depth > DEEPEST) throw new TemplateError("the template is nested too deep");
    const body: Statement[] = [];
    for (let chunk = this.#next(); chunk; chunk = this.#next()) {
      if (chunk.kind === "text") {
        body.push(chunk);
        continue;
      }
      const tokens = new Tokens(chunk.tokens);
      if (chunk.kind === "expression") {
        body.push({ kind: "write", value: whole(tokens) });
        continue;
      }
      const word = tokens.name();
      if (ends.includes(word)) {
        this.#depth -= 1;
        return { body, ended: word, tokens };
      }
      body.push(this.#statement(word, tokens));
    }
    if (ends.length > 0) throw new TemplateError(`${ends.at(-1)} is missing`);
    return { body, ended: "", tokens: new Tokens([]) };
  }

  #next(): Chunk | undefined {
    return this.#chunks[this.#at++];
  }

  #statement(word: string, tokens: Tokens): Statement {
    switch (word) {
      case "set":
        return this.#set(tokens);
      case "if":
        return this.#if(tokens);
      case "for":
        return this.#for(tokens);
      default:
        throw new TemplateError(`the statement ${word} is not understood`);
    }
  }

  #if(tokens: Tokens): Statement {
    const branches: Branch[] = [];
    let condition = whole(tokens);
    for (;;) {
      const { body, ended, tokens: behind } = this.block(["elif", "else", "endif"]);
      branches.push({ condition, body });
      if (ended === "endif") return { kind: "if", branches, otherwise: [] };
      if (ended === "else") return { kind: "if", branches, otherwise: this.block(["endif"]).body };
      condition = whole(behind);
    }
  }

  #set(tokens: Tokens): Statement {
    const names = nameList(tokens);
    const [first = ""] = names;
    if (names.length === 1 && tokens.isAtEnd)
      return { kind: "setBlock", name: first, body: this.block(["endset"]).body };
    const member = names.length === 1 && tokens.take(".") ? tokens.name() : undefined;
    tokens.expect("=");
    const value = oneOrSeveral(tokens, parseExpression);
    tokens.end();
    return member === undefined ? { kind: "set", names, value } : { kind: "setMember", of: first, name: member, value };
  }

  #for(tokens: Tokens): Statement {
    const names = nameList(tokens);
    tokens.expect("in");
    const source = oneOrSeveral(tokens, parseEither);
    const only = tokens.take("if") ? parseExpression(tokens) : undefined;
    tokens.end();
    const { body, ended } = this.block(["else", "endfor"]);
    const otherwise = ended === "else" ? this.block(["endfor"]).body : [];
    return { kind: "for", names, in: source, only, body, otherwise };
  }
}

function whole(tokens: Tokens): Expression {
  const value = parseExpression(tokens);
  tokens.end();
  return value;
}

/** An expression, or several with commas between, which form a list. */
function oneOrSeveral(tokens: Tokens, parse: (tokens: Tokens) => Expression): Expression {
  const first = parse(tokens);
  if (!tokens.is(",")) return first;
  const items = [first];
  while (tokens.take(",")) if (!tokens.isAtEnd) items.push(parse(tokens));
  return { kind: "list", items };
}

/** Names that are assigned to: one, or several with commas between, with or without brackets. */
function nameList(tokens: Tokens): string[] {
  const isBracketed = tokens.take("(") !== undefined;
  const names = [targetName(tokens)];
  while (tokens.take(",")) names.push(targetName(tokens));
  if (isBracketed) tokens.expect(")");
  return names;
}

function targetName(tokens: Tokens): string {
  const name = tokens.name();
  if (isConstant(name)) throw new TemplateError(`${name} cannot be set`);
  return name;
}
