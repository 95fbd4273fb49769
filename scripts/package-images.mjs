// `npm run package:images [-- --out FOLDER] [--only cloud]`: the cloud and the agent as images for containers, into dist, for this machine's
// architecture, without a daemon and without root. On Debian, whose libraries go into them. The same sources on the same Debian give the same bytes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { nativeArchitecture } from "./agent/architectures.mjs";
import { sourceEpoch } from "./agent/staging.mjs";
import { baseFiles } from "./images/base-files.mjs";
import { buildImages } from "./images/images.mjs";
import { imageArchive, layerOf } from "./images/layout.mjs";
import { root } from "./tools.mjs";

const { values } = parseArgs({ options: { out: { type: "string" }, only: { type: "string" } } });
const out = resolve(values.out ?? join(root, "dist"));
const architecture = nativeArchitecture();
const epoch = sourceEpoch();

mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "porchlight-images-"));
try {
  const images = await buildImages(architecture, folder, values.only);
  const base = {
    ...layerOf(baseFiles(images.flatMap(({ binaries }) => binaries)), epoch),
    about: "libraries, certificates and time zones of Debian",
  };
  for (const { name, version, entries, config, labels } of images) {
    const layers = [base, { ...layerOf(entries, epoch), about: `${name} ${version}` }];
    const image = { name, version, architecture: architecture.debian, config, labels, layers };
    const { digest, content } = imageArchive(image, epoch);
    const path = join(out, `${name.replace("/", "-")}_${version}_${architecture.debian}.oci.tar`);
    writeFileSync(path, content);
    process.stdout.write(`${path} ${digest}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
