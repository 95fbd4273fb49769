// What all Debian packages of ours have: documents, control, scripts and checksums, and the way they are put together, which is the same bytes for the
// same files. With dpkg-deb alone: there is nothing to compile.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { tool } from "./architectures.mjs";
import { lookAlike, sourceEpoch, sums } from "./staging.mjs";

export const squeezed = (text) => gzipSync(text, { level: 9 });

/** Writes a file and its folders. */
export function put(path, content, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/**
 * Builds `NAME_VERSION_ARCHITECTURE.deb` in the folder `out`, and gives its path.
 * @param about `name`, `version`, `architecture` in Debian's words, `notices` of what others have written, `scripts` of the package, and
 * `read`, which gives the text of a file of its packaging
 * @param fill puts what is the package's own into the folder that it is given
 */
export function buildDebian({ name, version, architecture, notices, scripts, read }, out, fill) {
  const epoch = sourceEpoch();
  const tree = mkdtempSync(join(tmpdir(), "porchlight-deb-"));
  try {
    fill(tree);
    put(join(tree, `usr/share/doc/${name}/copyright`), read("copyright"));
    put(join(tree, `usr/share/doc/${name}/changelog.gz`), squeezed(read("changelog")));
    put(join(tree, `usr/share/doc/${name}/third-party-notices.gz`), squeezed(notices));
    const { md5sums, kibibytes } = sums(tree);
    const facts = { VERSION: version, ARCHITECTURE: architecture, SIZE: String(kibibytes) };
    put(
      join(tree, "DEBIAN/control"),
      read("control").replaceAll(/@(\w+)@/g, (_, fact) => facts[fact]),
    );
    put(join(tree, "DEBIAN/md5sums"), md5sums);
    for (const script of scripts) put(join(tree, "DEBIAN", script), read(`scripts/${script}`), 0o755);
    lookAlike(tree, epoch);
    const path = join(out, `${name}_${version}_${architecture}.deb`);
    // gzip: a sixth larger than xz, and unpacked on a small hub in a fifth of the time. lintian refuses zstd.
    const options = ["--root-owner-group", "-Zgzip", "-z5", "--build", tree, path];
    tool("dpkg-deb", options, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
    return path;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/** @throws Error when the changelog that `read` gives has no entry of the version on top */
export function requireChangelog({ name, version, read }, folder) {
  if (!read("changelog").startsWith(`${name} (${version}) unstable; urgency=medium\n`))
    throw new Error(`packaging/${folder}/changelog has no entry of version ${version} on top`);
}
