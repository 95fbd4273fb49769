// A driver of our own as packages: the archive that `porchlight-agent drivers add` takes, and a Debian package that puts the same files
// where the agent finds them.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../tools.mjs";
import { tool } from "./architectures.mjs";
import { bundleDriver } from "./driver-bundle.mjs";
import { noticesOf } from "./notices.mjs";
import { lookAlike, sourceEpoch, sums } from "./staging.mjs";

const squeezed = (text) => gzipSync(text, { level: 9 });

/** Builds both into `out`, and gives their paths. @param workspace such as `driver-matter`; its packaging has the same name */
export async function buildDriverPackages(workspace, out) {
  const packaging = join(root, "packaging", workspace);
  const read = (name) => readFileSync(join(packaging, name), "utf8");
  const { version } = JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
  const manifest = { ...JSON.parse(read("manifest.json")), version };
  const { name } = manifest;
  if (!read("changelog").startsWith(`${name} (${version}) unstable; urgency=medium\n`))
    throw new Error(`packaging/${workspace}/changelog has no entry of version ${version} on top`);
  const { code, packages } = await bundleDriver(workspace);
  const notices = noticesOf(packages);
  const files = {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    [manifest.porchlight.entry]: code,
    LICENSE: readFileSync(join(root, "LICENSE"), "utf8"),
    "third-party-notices.txt": notices,
  };
  const archive = buildArchive(`${name}-${version}.tgz`, files, out);
  return [archive, buildDebian({ name, version, files, notices, archive, read, out })];
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

function buildDebian({ name, version, files, notices, archive, read, out }) {
  const epoch = sourceEpoch();
  const tree = mkdtempSync(join(tmpdir(), "porchlight-deb-"));
  try {
    const place = join(tree, "usr/lib/porchlight-agent/drivers", name.replace("porchlight-driver-", ""));
    // The licences of a Debian package stand under /usr/share/doc.
    const own = Object.entries(files).filter(([path]) => path !== "LICENSE" && path !== "third-party-notices.txt");
    for (const [path, text] of own) put(join(place, path), text);
    put(join(place, ".integrity"), integrityOf(archive));
    put(join(tree, `usr/share/doc/${name}/copyright`), read("copyright"));
    put(join(tree, `usr/share/doc/${name}/changelog.gz`), squeezed(read("changelog")));
    put(join(tree, `usr/share/doc/${name}/third-party-notices.gz`), squeezed(notices));
    const { md5sums, kibibytes } = sums(tree);
    const facts = { VERSION: version, SIZE: String(kibibytes) };
    put(
      join(tree, "DEBIAN/control"),
      read("control").replaceAll(/@(\w+)@/g, (_, fact) => facts[fact]),
    );
    put(join(tree, "DEBIAN/md5sums"), md5sums);
    for (const script of ["postinst", "postrm"]) put(join(tree, "DEBIAN", script), read(`scripts/${script}`), 0o755);
    lookAlike(tree, epoch);
    const path = join(out, `${name}_${version}_all.deb`);
    const options = ["--root-owner-group", "-Zgzip", "-z5", "--build", tree, path];
    tool("dpkg-deb", options, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
    return path;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

function integrityOf(path) {
  return `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
}

function put(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}
