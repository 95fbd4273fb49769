// A driver of our own as packages: the archive that `porchlight-agent drivers add` takes, and a Debian package that puts the same files
// where the agent finds them.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../tools.mjs";
import { tool } from "./architectures.mjs";
import { buildDebian, put, requireChangelog, squeezed } from "./debian-tree.mjs";
import { noticesOf } from "./notices.mjs";
import { bundleOneFile } from "./one-file.mjs";
import { lookAlike, sourceEpoch } from "./staging.mjs";

/** Builds both into `out`, and gives their paths. @param driver its folder under `drivers`, such as `matter`; its packaging is `driver-matter` */
export async function buildDriverPackages(driver, out) {
  const workspace = join("drivers", driver);
  const packaging = join(root, "packaging", `driver-${driver}`);
  const read = (name) => readFileSync(join(packaging, name), "utf8");
  const { version } = JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
  const manifest = { ...JSON.parse(read("manifest.json")), version };
  const { name } = manifest;
  requireChangelog({ name, version, read }, `driver-${driver}`);
  const { code, packages } = await bundleOneFile(`${workspace}/src/index.ts`);
  const notices = noticesOf(packages);
  const files = {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    [manifest.porchlight.entry]: code,
    LICENSE: readFileSync(join(root, "LICENSE"), "utf8"),
    "third-party-notices.txt": notices,
  };
  const archive = buildArchive(`${name}-${version}.tgz`, files, out);
  const about = { name, version, architecture: "all", notices, scripts: ["postinst", "postrm"], read };
  return [archive, buildDebian(about, out, (tree) => ownFiles({ name, files, archive }, tree))];
}

/** As npm packs it, and the same bytes for the same files. */
function buildArchive(file, files, out) {
  const tree = mkdtempSync(join(tmpdir(), "porchlight-driver-"));
  try {
    for (const [path, text] of Object.entries(files)) put(join(tree, "package", path), text);
    lookAlike(tree, sourceEpoch());
    const options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"];
    const names = Object.keys(files).sort();
    tool("tar", [...options, "-cf", join(tree, "archive.tar"), "-C", tree, ...names.map((each) => `package/${each}`)]);
    const path = join(out, file);
    writeFileSync(path, squeezed(readFileSync(join(tree, "archive.tar"))));
    return path;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

function ownFiles({ name, files, archive }, tree) {
  const place = join(tree, "usr/lib/porchlight-agent/drivers", name.replace("porchlight-driver-", ""));
  // The licences of a Debian package stand under /usr/share/doc.
  const own = Object.entries(files).filter(([path]) => path !== "LICENSE" && path !== "third-party-notices.txt");
  for (const [path, text] of own) put(join(place, path), text);
  put(join(place, ".integrity"), integrityOf(archive));
}

function integrityOf(path) {
  return `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
}
