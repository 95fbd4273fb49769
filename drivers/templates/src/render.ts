/** Renders the text of a parsed template. */

import type { Statement } from "./arithmetic.ts";
import { Budget, boundedText, type MessageWork } from "./budget.ts";
import { evaluate, Names, type Scope } from "./evaluate.ts";
import { textOf } from "./format.ts";
import {
  type CompiledPatterns,
  type Data,
  isList,
  isTrue,
  itemsOf,
  Namespace,
  TemplateError,
  toData,
  Undefined,
} from "./python-values.ts";

/**
 * @param patterns compiled in the template's earlier renderings
 * @param work shared by all templates that read the same message
 * @throws TemplateError
 */
export function renderStatements(
  statements: readonly Statement[],
  variables: Readonly<Record<string, unknown>>,
  patterns: CompiledPatterns,
  work: MessageWork,
): string {
  const budget = new Budget(patterns, work);
  budget.step();
  const names = new Names(Object.entries(variables).map(([name, value]) => [name, toData(value)]));
  return new Rendering({ names, budget }).run(statements).trim();
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
      case "write": {
        const value = evaluate(statement.value, this.#scope);
        budget.checkIsShort(value);
        return textOf(budget.weigh(value));
      }
      case "set":
        bind(names, statement.names, evaluate(statement.value, this.#scope));
        return "";
      case "setBlock": {
        const inner = new Rendering({ names: new Names([], names), budget });
        names.set(statement.name, inner.run(statement.body));
        return "";
      }
      case "setMember": {
        const of = names.get(statement.of);
        if (!(of instanceof Namespace)) throw new TemplateError(`${statement.of} is not a namespace`);
        of.members.set(statement.name, evaluate(statement.value, this.#scope));
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

  #for({ names, in: source, only, body, otherwise }: Extract<Statement, { kind: "for" }>): string {
    const { budget } = this.#scope;
    const turnOf = (item: Data): Scope => {
      budget.step();
      const inner = new Names([], this.#scope.names);
      bind(inner, names, item);
      return { names: inner, budget };
    };
    const all = itemsOf(budget.weigh(evaluate(source, this.#scope)));
    const items = only ? all.filter((item) => isTrue(evaluate(only, turnOf(item)))) : all;
    if (items.length === 0) return this.run(otherwise);
    let text = "";
    for (const [n, item] of items.entries()) {
      const turn = turnOf(item);
      turn.names.set("loop", loopOf(n, items));
      text = boundedText(text + new Rendering(turn).run(body));
    }
    return text;
  }
}

function loopOf(n: number, items: readonly Data[]): Data {
  const { length } = items;
  const itemAt = (place: number, what: string): Data => {
    const item = place < 0 ? undefined : items[place];
    return item === undefined ? new Undefined(what) : item;
  };
  const about: readonly (readonly [string, Data])[] = [
    ["index", n + 1],
    ["index0", n],
    ["revindex", length - n],
    ["revindex0", length - n - 1],
    ["first", n === 0],
    ["last", n === length - 1],
    ["length", length],
    ["previtem", itemAt(n - 1, "there is no previous loop item")],
    ["nextitem", itemAt(n + 1, "there is no next loop item")],
  ];
  return new Map(about);
}

/** Assigns the value to one name, or its items to several names. */
function bind(names: Names, targets: readonly string[], value: Data): void {
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) {
    names.set(only, value);
    return;
  }
  if (!isList(value) || value.length !== targets.length)
    throw new TemplateError(`${targets.join(", ")} take as many values`);
  for (const [n, target] of targets.entries()) names.set(target, value[n] ?? null);
}
