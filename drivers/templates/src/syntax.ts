/** What a template is made of, once it is parsed. */
import type { Data } from "./python-values.ts";

export type Expression =
  | { readonly kind: "literal"; readonly value: Data }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "dict"; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "item"; readonly of: Expression; readonly key: Expression }
  | {
      readonly kind: "slice";
      readonly of: Expression;
      readonly from: Expression | undefined;
      readonly to: Expression | undefined;
      readonly step: Expression | undefined;
    }
  | { readonly kind: "call"; readonly of: Expression; readonly args: CallArguments }
  | { readonly kind: "filter"; readonly of: Expression; readonly name: string; readonly args: CallArguments }
  | {
      readonly kind: "test";
      readonly of: Expression;
      readonly name: string;
      readonly args: CallArguments;
      readonly isNot: boolean;
    }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "not"; readonly of: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "both" | "either"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "compare"; readonly first: Expression; readonly rest: readonly Comparison[] }
  | {
      readonly kind: "choice";
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression | undefined;
    };

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "~";
export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

export interface Comparison {
  readonly operator: CompareOperator;
  readonly with: Expression;
}

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
}

export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "write"; readonly value: Expression }
  | { readonly kind: "set"; readonly names: readonly string[]; readonly value: Expression }
  /** What the body writes. */
  | { readonly kind: "setBlock"; readonly name: string; readonly body: readonly Statement[] }
  /** Of a `namespace`. */
  | { readonly kind: "setMember"; readonly of: string; readonly name: string; readonly value: Expression }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | {
      readonly kind: "for";
      readonly names: readonly string[];
      readonly in: Expression;
      readonly only: Expression | undefined;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    };

export interface Branch {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}
