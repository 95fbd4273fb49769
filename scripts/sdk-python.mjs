// `npm run sdk:python [-- FOLDER]`: writes the generated modules of the Python client, from the OpenAPI document of this repository's service.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { servedDocument } from "./sdk-python/document.mjs";
import { operationsText } from "./sdk-python/operations.mjs";
import { Types } from "./sdk-python/types.mjs";
import { root } from "./tools.mjs";

const folder = resolve(process.argv[2] ?? join(root, "sdk-python", "src", "porchlight"));
const document = await servedDocument();
const types = new Types(document.components.schemas);
mkdirSync(folder, { recursive: true });
// Operations first: what stands in an operation itself has its type by it.
writeFileSync(join(folder, "_operations.py"), operationsText(document, types));
writeFileSync(join(folder, "types.py"), types.text());
