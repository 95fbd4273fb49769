/** Exported names, and where each is declared: one name stands for one thing. */
import { codeOf } from "./code-of.ts";
import { folderOf, isTest } from "./rules.ts";

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) ([A-Za-z_$][\w$]*)/gm;

/** Names that may be declared by several files of one package, with the reason. A `const` and a `type` of one file are one declaration. */
export const DECLARED_TWICE: Readonly<Record<string, string>> = {
  "cloud EmailText":
    "an email's text as each module writes it, structurally one type; modules of one rank do not import each other",
  "cloud MailOutbox": "what a module is handed to send emails, declared by the module that needs it",
  "shared command": "the schema of one thing on each of two borders, the API and the tunnel",
  "shared describe": "the frame of the tunnel, and the function that prepares what it carries",
  "shared errorText": "JSON-RPC's and the device protocol's: each module is imported by its own name",
  "shared scene": "the schema of one thing on each of two borders, the API and the tunnel",
  "shared sceneCall": "the body of the API's call, and the frame that carries it to the hub",
  "shared propertyItem": "the schema of an item, and the function that makes one",
};

/** `PACKAGE NAME` of each name that several production files of one package export, with the files. Packages are separate: each has its own words. */
export function declaredTwice(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [path, text] of files) {
    if (isTest(path) || !path.includes("/src/")) continue;
    const names = [...codeOf(text).code.matchAll(DECLARATION)].map(([, name]) => name ?? "");
    for (const name of new Set(names)) {
      const key = `${folderOf(path)} ${name}`;
      places.set(key, [...(places.get(key) ?? []), path]);
    }
  }
  return new Map([...places].filter(([, paths]) => paths.length > 1));
}
