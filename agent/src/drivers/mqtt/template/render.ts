/** What a parsed template writes. */
import { Budget, boundedText } from "./budget.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { textOf } from "./python-text.ts";
import { type Data, isList, isTrue, itemsOf, TemplateError, toData } from "./python-values.ts";
import type { Statement } from "./syntax.ts";

/** @throws TemplateError */
export function renderStatements(
  statements: readonly Statement[],
  variables: Readonly<Record<string, unknown>>,
): string {
  const names = new Map(Object.entries(variables).map(([name, value]) => [name, toData(value)]));
  return new Rendering({ names, budget: new Budget() }).run(statements).trim();
}

class Rendering {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  run(statements: readonly Statement[]): string {
    let text = "";
    for (const statement of statements) text = boundedText(text + this.#one(statement));
    return text;
  }

  #one(statement: Statement): string {
    const { names, budget } = this.#scope;
    budget.step();
    switch (statement.kind) {
      case "text":
        return statement.text;
      case "write":
        return textOf(evaluate(statement.value, this.#scope));
      case "set":
        bind(names, statement.names, evaluate(statement.value, this.#scope));
        return "";
      case "setMember": {
        const of = names.get(statement.of);
        if (!(of instanceof Map)) throw new TemplateError(`${statement.of} is no namespace`);
        of.set(statement.name, evaluate(statement.value, this.#scope));
        return "";
      }
      case "if": {
        const taken = statement.branches.find(({ condition }) => isTrue(evaluate(condition, this.#scope)));
        return this.run(taken ? taken.body : statement.otherwise);
      }
      case "for":
        return this.#for(statement);
    }
  }

  /** What is set inside of a loop ends with its turn, as in Jinja. */
  #for({ names, in: source, only, body, otherwise }: Extract<Statement, { kind: "for" }>): string {
    const { budget } = this.#scope;
    const turns = itemsOf(evaluate(source, this.#scope)).map((item) => {
      budget.step();
      const inner: Scope = { names: new Map(this.#scope.names), budget };
      bind(inner.names, names, item);
      return inner;
    });
    const taken = only ? turns.filter((inner) => isTrue(evaluate(only, inner))) : turns;
    if (taken.length === 0) return this.run(otherwise);
    let text = "";
    for (const [n, inner] of taken.entries()) {
      inner.names.set("loop", loopOf(n, taken.length));
      text = boundedText(text + new Rendering(inner).run(body));
    }
    return text;
  }
}

function loopOf(n: number, length: number): Data {
  const about: readonly (readonly [string, Data])[] = [
    ["index", n + 1],
    ["index0", n],
    ["revindex", length - n],
    ["first", n === 0],
    ["last", n === length - 1],
    ["length", length],
  ];
  return new Map(about);
}

/** One name takes the value; several take its parts. */
function bind(names: Map<string, Data>, targets: readonly string[], value: Data): void {
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) {
    names.set(only, value);
    return;
  }
  if (!isList(value) || value.length !== targets.length)
    throw new TemplateError(`${targets.join(", ")} take as many values`);
  for (const [n, target] of targets.entries()) names.set(target, value[n] ?? null);
}
