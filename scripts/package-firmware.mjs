// `npm run package:firmware [-- FOLDER]`: the C code as an Arduino library, an ESP-IDF component and a Zephyr module, into dist/firmware.
// firmware/packages has what is theirs alone; the code itself is only in firmware/porchlight.{c,h}.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./tools.mjs";

const URL_OF_PROJECT = "https://porchlight.example";
const firmware = join(root, "firmware");
const dist = resolve(process.argv[2] ?? join(root, "dist", "firmware"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Where each package wants the header and the source. */
const PACKAGES = {
  arduino: { folder: "Porchlight", header: "src", source: "src" },
  "esp-idf": { folder: "porchlight", header: "include", source: "src" },
  zephyr: { folder: "porchlight", header: "include", source: "src" },
};

const words = {
  "@VERSION@": version,
  "@URL@": URL_OF_PROJECT,
  "@SIZES@": readFileSync(join(firmware, "packages", "Kconfig.sizes"), "utf8").trim(),
};

rmSync(dist, { recursive: true, force: true });
for (const [name, { folder, header, source }] of Object.entries(PACKAGES)) {
  const to = join(dist, name, folder);
  cpSync(join(firmware, "packages", name), to, { recursive: true });
  for (const path of readdirSync(to, { recursive: true, encoding: "utf8" }).map((each) => join(to, each)))
    if (statSync(path).isFile()) fill(path);
  put(join(firmware, "porchlight.h"), join(to, header, "porchlight.h"));
  put(join(firmware, "porchlight.c"), join(to, source, "porchlight.c"));
  put(join(root, "LICENSE"), join(to, "LICENSE"));
  process.stdout.write(`${relative(process.cwd(), to) || to}\n`);
}
const sketch = "examples/PorchlightLamp/PorchlightLamp.ino";
put(join(firmware, sketch), join(dist, "arduino", "Porchlight", sketch));

/** Replaces the words that depend on the release. */
function fill(path) {
  const text = readFileSync(path, "utf8");
  const filled = Object.entries(words).reduce((all, [word, value]) => all.replaceAll(word, value), text);
  if (filled !== text) writeFileSync(path, filled);
}

function put(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
