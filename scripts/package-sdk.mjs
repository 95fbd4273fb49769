// `npm run package:sdk [-- FOLDER]`: the client as others install it, into sdk/dist: ESM and CommonJS, each in one file and with its
// types, needing nothing else. Its tarball is what `npm pack sdk/dist` makes.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { declarations } from "./sdk/types.mjs";
import { root } from "./tools.mjs";

const api = await import(new URL("../shared/src/api/index.ts", import.meta.url));

const KERNEL = "shared/src/kernel/index.d.ts";
const sdk = join(root, "sdk");
const dist = resolve(process.argv[2] ?? join(sdk, "dist"));
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

for (const [format, ending] of [
  ["esm", "js"],
  ["cjs", "cjs"],
]) {
  await build({
    entryPoints: [join(sdk, "src", "index.ts")],
    outfile: join(dist, `index.${ending}`),
    bundle: true,
    format,
    // Nothing of Node.js: it runs in browsers and their like as well.
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
    legalComments: "inline",
    logLevel: "warning",
  });
}
writeTypes();
for (const file of ["README.md", "LICENSE"])
  copyFileSync(join(file === "README.md" ? sdk : root, file), join(dist, file));
cpSync(join(sdk, "examples"), join(dist, "examples"), { recursive: true });
writeFileSync(join(dist, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
process.stdout.write(`${relative(process.cwd(), dist) || dist}\n`);

function manifest() {
  const { name, version, description, license } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  return {
    ...{ name, version, description, license },
    type: "module",
    sideEffects: false,
    main: "./index.cjs",
    module: "./index.js",
    types: "./types/sdk/src/index.d.ts",
    exports: {
      ".": {
        import: { types: "./types/sdk/src/index.d.ts", default: "./index.js" },
        require: { types: "./types-cjs/sdk/src/index.d.cts", default: "./index.cjs" },
      },
    },
    engines: { node: ">=20" },
  };
}

/** Declarations of the client, the kernel and the catalogue of events, with the API's types in place of the API's schemas. */
function writeTypes() {
  const made = mkdtempSync(join(tmpdir(), "porchlight-types-"));
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: made },
    // By their place rather than by the link in node_modules, so that they are sources and have declarations made.
    paths: { "@porchlight/shared/*": [join(root, "shared", "src", "*", "index.ts")] },
    typeRoots: [join(root, "node_modules", "@types")],
  };
  const entries = [join(sdk, "src", "index.ts")];
  const project = join(made, "tsconfig.json");
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files: entries }),
  );
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", project], { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("The declarations could not be made.");
  const files = new Map();
  for (const path of readdirSync(made, { recursive: true, encoding: "utf8" }).filter((each) => each.endsWith(".d.ts")))
    if (/^(sdk\/src|shared\/src\/(kernel|events))\//.test(path))
      files.set(path, readFileSync(join(made, path), "utf8"));
  rmSync(made, { recursive: true });
  const written = [...files].filter(([path]) => path.startsWith("sdk/")).map(([, text]) => text);
  files.set("shared/src/api/index.d.ts", declarations(usedSchemas(written.join("\n"))));
  files.set(KERNEL, usedKernel(files, namesFrom("kernel", written.join("\n"))));
  for (const path of reached("sdk/src/index.d.ts", files)) {
    const text = files.get(path);
    write(join(dist, "types", path), withSpecifiers(path, text, ".js"));
    write(join(dist, "types-cjs", path.replace(/\.d\.ts$/, ".d.cts")), withSpecifiers(path, text, ".cjs"));
  }
}

/** The declarations that a file's declarations need, itself among them. */
function reached(start, files) {
  const paths = new Set([start]);
  for (const path of paths) {
    if (!files.has(path)) throw new Error(`${path} has no declarations`);
    const text = withSpecifiers(path, files.get(path), ".d.ts");
    for (const [, to] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)) paths.add(join(dirname(path), to));
  }
  return paths;
}

/** The kernel's index with the files that have one of the names: the others need more of the reader's settings. */
function usedKernel(files, names) {
  const lines = files.get(KERNEL).split("\n");
  const isUsed = (line) => {
    const file = /"\.\/(.*)\.ts"/.exec(line)?.[1];
    const text = file ? files.get(join(dirname(KERNEL), `${file}.d.ts`)) : "";
    return names.some((name) => new RegExp(`^export .*\\b${name}\\b`, "m").test(text));
  };
  return `${lines.filter(isUsed).join("\n")}\n`;
}

/** Names that are imported from a room of `shared`. */
function namesFrom(room, text) {
  const imports = [
    ...text.matchAll(new RegExp(`import (?:type )?\\{([^}]*)\\} from "@porchlight/shared/${room}"`, "g")),
  ];
  const names = imports.flatMap(([, list]) => list.split(",").map((each) => each.replace("type ", "").trim()));
  return [...new Set(names)].filter(Boolean).sort();
}

/** The schema of each type that the client's declarations take from the API: `newUser` of `NewUser`. */
function usedSchemas(text) {
  return Object.fromEntries(
    namesFrom("api", text).map((name) => {
      const schema = api[name[0].toLowerCase() + name.slice(1)];
      if (!schema) throw new Error(`the API has no schema of the type ${name}`);
      return [name, schema];
    }),
  );
}

/** Imports that lead to files of this folder. */
function withSpecifiers(path, text, ending) {
  return text
    .replaceAll(/(from |import\()"(\.[^"]+)\.ts"/g, (_, before, file) => `${before}"${file}${ending}"`)
    .replaceAll(/"@porchlight\/shared\/(\w+)"/g, (_, room) => {
      const to = relative(dirname(path), `shared/src/${room}/index${ending}`);
      return JSON.stringify(to.startsWith(".") ? to : `./${to}`);
    });
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
