/** Renders a sample in each language, with `‹name›` for the reader's own values. Pure. */
import type { Operation } from "./operations.ts";
import { SAMPLES } from "./samples.ts";

export interface Text {
  readonly language: "curl" | "TypeScript" | "Python";
  readonly text: string;
}

/** Longest arguments that stay on one line, characters. */
const WIDE = 60;

/** Placeholder of the token in samples. */
const TOKEN = "‹token›";

/** @param origin of the service @returns the sample in every language that has a call for it */
export function textsOf(operation: Operation, origin: string): readonly Text[] {
  const typescript = typescriptOf(operation, origin);
  return [
    { language: "curl", text: curlOf(operation, origin) },
    ...(typescript === undefined ? [] : [{ language: "TypeScript" as const, text: typescript }]),
    { language: "Python", text: pythonOf(operation, origin) },
  ];
}

function curlOf(operation: Operation, origin: string): string {
  const request = requestOf(operation);
  const isStream = operation.answers.some(({ media }) => media === "text/event-stream");
  const method = request.method === "GET" ? "" : ` -X ${request.method}`;
  const flags = `${isStream ? " -N" : ""}${isArchive(operation) ? " -o porchlight.zip" : ""}`;
  const lines = [`curl${flags}${method} '${origin}${samplePath(operation, request)}'`];
  if (request.hasToken) lines.push(`-H 'authorization: Bearer ${TOKEN}'`);
  for (const [name, value] of Object.entries(request.headers)) lines.push(`-H '${name}: ${value}'`);
  if (request.body) {
    const json = JSON.stringify(request.body, null, 2).replaceAll("\n", "\n  ").replaceAll("'", "'\\''");
    lines.push("-H 'content-type: application/json'", `-d '${json}'`);
  }
  return lines.join(" \\\n  ");
}

function typescriptOf(operation: Operation, origin: string): string | undefined {
  const { typescript: call } = SAMPLES[operation.id] ?? {};
  if (call === undefined) return undefined;
  const { body = {}, hasToken } = requestOf(operation);
  const filled = call.replace("‹body›", typescriptLiteral(body));
  const statement = filled.startsWith("for await") ? filled : `console.log(await porchlight.${filled});`;
  const token = hasToken ? `,\n  token: "${TOKEN}",\n` : " ";
  const options = hasToken ? `{\n  baseUrl: "${origin}"${token}}` : `{ baseUrl: "${origin}" }`;
  return `import { Porchlight } from "@porchlight/sdk";

const porchlight = new Porchlight(${options});
${statement}`;
}

/** JSON without quotes around names that need none. */
function typescriptLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** The Python client has a method for each operation, takes the body as a dict, and fetches the pages of a list on demand. */
function pythonOf(operation: Operation, origin: string): string {
  const { path, query, body, hasToken } = requestOf(operation);
  const token = hasToken ? `, token="${TOKEN}"` : "";
  const all = [
    ...Object.values(path).map((value) => JSON.stringify(value)),
    ...(body === undefined || Object.keys(body).length === 0 ? [] : [pythonLiteral(body)]),
    ...Object.entries(query).map(
      ([name, value]) => `${snake(name)}=${/^\d+$/.test(value) ? value : JSON.stringify(value)}`,
    ),
  ];
  const isStream = operation.answers.some(({ media }) => media === "text/event-stream");
  const isList = operation.parameters.some(({ name }) => name === "continuationToken");
  const [inLine, method] = [all.join(", "), isStream ? "events" : snake(operation.id)];
  const call = `client.${method}(${inLine.length > WIDE ? `\n    ${all.join(",\n    ")},\n` : inLine})`;
  return `from porchlight import Porchlight

client = Porchlight("${origin}"${token})
${isArchive(operation) ? archiveOf(call) : isStream || isList ? `for item in ${call}:\n    print(item)` : `print(${call})`}`;
}

/** Whether the answer is a file. */
function isArchive({ answers }: Operation): boolean {
  return answers.some(({ media }) => media === "application/zip");
}

function archiveOf(call: string): string {
  return `with open("porchlight.zip", "wb") as file:\n    for part in ${call}:\n        file.write(part)`;
}

/** Converts `environmentId` to Python's `environment_id`. */
function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`)
    .join(", ")}}`;
}

/** A sample's request, built from the operation and its sample; pure, with `‹name›` for the reader's own values. */
interface SampleRequest {
  readonly method: string;
  /** Values of the path's parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly hasToken: boolean;
}

/** Sample values of path parameters that are not IDs. */
const FIXED: Readonly<Record<string, string>> = { selector: "Switch.on", number: "1" };
/** A log-in is a token of the account; other tokens belong to a user, server or client. */
const LOGIN = "/api/account/tokens/{tokenId}";

export function requestOf(operation: Operation): SampleRequest {
  const { method, path, tokens } = operation;
  const { query = {}, headers = {}, body } = SAMPLES[operation.id] ?? {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    ...{ method, query, headers, body },
    path: Object.fromEntries(names.map((name) => [name, FIXED[name] ?? `‹${nameIn(path, name)}›`])),
    hasToken: tokens.some((kind) => kind !== "session"),
  };
}

/** Path with its query, without the origin. */
export function samplePath({ path: template }: Operation, { path, query }: SampleRequest): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return search.length > 0 ? `${filled}?${search.join("&")}` : filled;
}

/** Placeholder of a path parameter: `id` of `/api/devices/{id}` is `deviceId`, and `tokenId` below users is `userTokenId`. */
function nameIn(path: string, parameter: string): string {
  const kind = /^\/api\/([a-z]+?)s\//.exec(path)?.[1] ?? "";
  if (parameter === "id") return `${kind}Id`;
  if (path === LOGIN) return "loginId";
  return parameter === "tokenId" ? `${kind}TokenId` : parameter;
}
