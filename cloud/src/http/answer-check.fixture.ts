/** Holds every answer of a test against the OpenAPI document, with ajv as the judge: what the document says is what there is. */

import { ApiVersions } from "@porchlight/shared/rest";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { openApi } from "./openapi.ts";
import type { Route } from "./routing/route.ts";

export interface Answered {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface HeaderUse {
  readonly $ref: string;
}
interface Response {
  readonly headers?: Readonly<Record<string, HeaderUse>>;
  readonly content?: Readonly<Record<string, object>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Headers that say how an answer travels and who may read it, not what it says. */
const OF_HTTP =
  /^(?:content-(?:type|length|encoding|range|disposition)|accept-ranges|transfer-encoding|connection|keep-alive|date|vary|allow|cache-control|x-accel-buffering|x-content-type-options|strict-transport-security|access-control-.+)$/;
/** Errors of requests that no route has. */
const WITHOUT_ROUTE = ["Host Invalid", "Endpoint Not Found", "Method Not Allowed", "API Version Not Found"];

/** By what the routes say in words; their schemas stand in the code, and so are the same for all tests of a file. */
const made = new Map<string, AnswerCheck>();

export class AnswerCheck {
  readonly #document: Document;
  readonly #patterns: readonly { readonly pattern: RegExp; readonly path: string }[];
  readonly #ajv: Ajv2020;

  private constructor(document: object) {
    // That it is an OpenAPI document is tested with the official schema.
    this.#document = document as Document;
    const fewestParametersFirst = Object.keys(this.#document.paths).sort((a, b) => parameters(a) - parameters(b));
    this.#patterns = fewestParametersFirst.map((path) => ({
      path,
      // In the middle of a path the router takes an empty name for one, which then names nothing.
      pattern: new RegExp(
        `^${path
          .replaceAll(".", "\\.")
          .replaceAll(/\{\w+\}(?=\/)/g, "[^/]*")
          .replaceAll(/\{\w+\}/g, "[^/]+")}/?$`,
      ),
    }));
    // A schema that many answers name is compiled once, not into each of them.
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, inlineRefs: false });
    ajvFormats.default(this.#ajv);
    this.#ajv.addSchema(document, "document");
  }

  /** @param text of the document as a service serves it */
  static by(text: string): AnswerCheck {
    return new AnswerCheck(JSON.parse(text));
  }

  /** Of the same routes the same one: the document costs more than most tests that want its judgement. */
  static of(routes: readonly Route[]): AnswerCheck {
    const key = routes.map(wordsOf).join("\n");
    const known = made.get(key) ?? new AnswerCheck(openApi(routes, undefined));
    made.set(key, known);
    return known;
  }

  /** @throws Error that says in a sentence each what does not fit the document */
  check(answer: Answered): void {
    const faults = this.#faults(answer);
    if (faults.length === 0) return;
    const { method, url, status, text } = answer;
    throw new Error(
      `${method} ${url} -> ${status} does not fit the OpenAPI document: ${faults.join("; ")}\n${text.slice(0, 2000)}`,
    );
  }

  #faults(answer: Answered): string[] {
    const { method, status, headers, text } = answer;
    if (method === "OPTIONS" && status === 204) return [];
    const found = this.#operation(answer);
    if (!found) return this.#faultsWithoutRoute(answer);
    const { operation, at } = found;
    if (status === 404 && isProblem(text, "Endpoint Not Found")) return [];
    const response = operation.responses[status];
    if (!response) return [`${operation.operationId} lists no answer ${status}${titleOf(text)}`];
    const faults: string[] = [];
    for (const [name, { $ref }] of Object.entries(response.headers ?? {}))
      if ($ref.endsWith(".required") && headers[name] === undefined) faults.push(`the header ${name} is missing`);
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && !OF_HTTP.test(name) && !response.headers?.[name])
        faults.push(`the header ${name} is not described`);
    return [...faults, ...this.#bodyFaults(answer, response, `${at}/responses/${status}`)];
  }

  #bodyFaults({ method, headers, text }: Answered, { content }: Response, at: string): string[] {
    const type = String(headers["content-type"] ?? "").split(";")[0] ?? "";
    if (method === "HEAD") return text === "" ? [] : ["a HEAD is answered with a body"];
    if (!content) return text === "" ? [] : ["there is a body, and the document has none"];
    if (!(type in content)) return [`the body is ${type || "of no type"}, not ${Object.keys(content).join(" or ")}`];
    if (!/[/+]json$/.test(type)) return [];
    return [...this.#judge(`${at}/content/${escaped(type)}/schema`, text), ...digitsFaults(parsed(text))];
  }

  #faultsWithoutRoute({ headers, status, text, method }: Answered): string[] {
    if (status < 400) return ["no route of the document has it"];
    if (!String(headers["content-type"]).startsWith("application/problem+json"))
      return ["the error is no problem+json"];
    if (method === "HEAD") return [];
    const faults = this.#judge("/components/schemas/Problem", text);
    const named = WITHOUT_ROUTE.some((name) => isProblem(text, name)) || status >= 500;
    return named ? faults : [...faults, `no route has it, and yet it is answered with${titleOf(text)}`];
  }

  #judge(pointer: string, text: string): string[] {
    const validate: ValidateFunction | undefined = this.#ajv.getSchema(`document#${encodeURI(pointer)}`);
    if (!validate) return [`the document has no schema at ${pointer}`];
    if (validate(parsed(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const more = "additionalProperty" in params ? ` (${params.additionalProperty})` : "";
      return `${instancePath || "the body"} ${message}${more}${"allowedValues" in params ? `: ${params.allowedValues.join(", ")}` : ""}`;
    });
  }

  #operation({ method, url }: Answered): { operation: Operation; at: string } | undefined {
    const path = new ApiVersions().rewrite(url).split("?", 1)[0] ?? "";
    for (const known of this.#patterns) {
      if (!known.pattern.test(path)) continue;
      const asked = method === "HEAD" ? "get" : method.toLowerCase();
      const operation = this.#document.paths[known.path]?.[asked];
      if (operation) return { operation, at: `/paths/${escaped(known.path)}/${asked}` };
    }
    return undefined;
  }
}

function wordsOf({ method, path, tokens, query, errors, limit, answers }: Route): string {
  return JSON.stringify([method, path, tokens, query, errors, limit, Object.keys(answers)]);
}

function parameters(path: string): number {
  return path.split("{").length;
}

function isProblem(text: string, title: string): boolean {
  return text.includes(`"title":${JSON.stringify(title)}`);
}

function titleOf(text: string): string {
  const title = /"title":"([^"]+)"/.exec(text)?.[1];
  return title === undefined ? "" : ` "${title}"`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function escaped(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Members that hold a measured time or a share. */
const MEASURED = /^(?:ms|\w+(?:Ms|Seconds|Rate))$/;
/** Behind the point, at most. */
const DIGITS = 4;

/** Digits that no measurement has. */
function digitsFaults(value: unknown, name = "the body"): string[] {
  if (typeof value === "number")
    return MEASURED.test(name) && Number(value.toFixed(DIGITS)) !== value ? [`${name} is ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => digitsFaults(each, Array.isArray(value) ? name : key));
}
