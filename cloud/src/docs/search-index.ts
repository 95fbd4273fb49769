/** What the portal's search finds in the documents, and the words that it explains: one file for both. */
import { ERRORS, type ErrorName, errorPath } from "@porchlight/shared/kernel";
import { ERRORS_PATH } from "./error-pages.ts";
import { plainMeaning, words } from "./glossary.ts";
import { GLOSSARY_PATH, guideDocument, guidePaths } from "./guides.ts";
import type { Operation } from "./reference/operations.ts";
import { operationPath, REFERENCE_PATH } from "./reference/pages.ts";

export const INDEX_PATH = "/docs/index.json";

interface Entry {
  readonly name: string;
  /** What it is, and words by which it is found too. */
  readonly about: string;
  readonly to: string;
}

export interface DocumentIndex {
  readonly entries: readonly Entry[];
  /** By the word's anchor in the glossary. */
  readonly words: Readonly<Record<string, { readonly word: string; readonly meaning: string }>>;
}

export async function documentIndex(operations: readonly Operation[]): Promise<DocumentIndex> {
  const known = await words();
  const guides = await Promise.all(guidePaths().map(([path, file]) => guideEntries(path, file)));
  return {
    entries: [
      { name: "Reference", about: "every operation of the API", to: REFERENCE_PATH },
      { name: "Errors", about: "every error of the API", to: ERRORS_PATH },
      { name: "Glossary", about: "terms and their meaning", to: GLOSSARY_PATH },
      ...operations.map(({ id, method, path, summary }) => ({
        ...{ name: summary, about: `${method} ${path} ${id}`, to: operationPath(id) },
      })),
      ...guides.flat(),
      ...Object.keys(ERRORS).map((name) => errorEntry(name as ErrorName)),
      ...known.map(({ id, word }) => ({ name: word, about: "term in the glossary", to: `${GLOSSARY_PATH}#${id}` })),
    ],
    words: Object.fromEntries(known.map((each) => [each.id, { word: each.word, meaning: plainMeaning(each) }])),
  };
}

async function guideEntries(path: string, file: string): Promise<Entry[]> {
  const { title, sections } = await guideDocument(file, "");
  return [
    { name: title, about: "guide", to: path },
    ...sections.map((section) => ({ name: section.title, about: `in ${title}`, to: `${path}#${section.id}` })),
  ];
}

function errorEntry(name: ErrorName): Entry {
  return { name, about: `error ${ERRORS[name].status}`, to: errorPath(name) };
}
