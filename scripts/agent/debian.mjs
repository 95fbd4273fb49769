// The Debian package of the agent, from packaging/agent and an executable. With dpkg-deb alone: there is nothing to compile, and what
// stands where must be read in one list.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../tools.mjs";
import { tool } from "./architectures.mjs";
import { manualPage } from "./manual.mjs";
import { notices } from "./notices.mjs";
import { lookAlike, sourceEpoch, sums } from "./staging.mjs";

const NAME = "porchlight-agent";
const packaging = join(root, "packaging", "agent");
const read = (name) => readFileSync(join(packaging, name), "utf8");
const squeezed = (text) => gzipSync(text, { level: 9 });

/** Builds `NAME_VERSION_ARCHITECTURE.deb` in the folder `out`, and gives its path. */
export function buildDebianPackage(architecture, executable, out) {
  const { version } = JSON.parse(readFileSync(join(root, "agent", "package.json"), "utf8"));
  const [latest = ""] = read("changelog").split("\n");
  if (latest !== `${NAME} (${version}) unstable; urgency=medium`)
    throw new Error(`packaging/agent/changelog has no entry of version ${version} on top`);
  const epoch = sourceEpoch();
  const date = new Date(epoch * 1000).toISOString().slice(0, 10);

  const tree = mkdtempSync(join(tmpdir(), "porchlight-deb-"));
  const put = (path, content, mode = 0o644) => {
    const to = join(tree, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
    chmodSync(to, mode);
  };
  try {
    const program = join(tree, "usr/lib", NAME, NAME);
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync(executable.path, program);
    put(`usr/bin/${NAME}`, read(`${NAME}.sh`), 0o755);
    put(`lib/systemd/system/${NAME}.service`, read(`${NAME}.service`));
    put(`usr/share/${NAME}/agent.yaml`, read("agent.yaml"));
    mkdirSync(join(tree, "etc/porchlight"), { recursive: true });
    put(`usr/share/man/man1/${NAME}.1.gz`, squeezed(manualPage(read(`${NAME}.1`), { version, date })));
    put(`usr/share/doc/${NAME}/copyright`, read("copyright"));
    put(`usr/share/doc/${NAME}/changelog.gz`, squeezed(read("changelog")));
    put(
      `usr/share/doc/${NAME}/third-party-notices.gz`,
      squeezed(notices(executable.packages, read("nodejs-licence.txt"))),
    );
    put(`usr/share/lintian/overrides/${NAME}`, read("lintian-overrides"));

    const { md5sums, kibibytes } = sums(tree);
    const facts = { VERSION: version, ARCHITECTURE: architecture.debian, SIZE: String(kibibytes) };
    put(
      "DEBIAN/control",
      read("control").replaceAll(/@(\w+)@/g, (_, fact) => facts[fact]),
    );
    put("DEBIAN/md5sums", md5sums);
    for (const script of ["postinst", "prerm", "postrm"]) put(`DEBIAN/${script}`, read(`scripts/${script}`), 0o755);
    lookAlike(tree, epoch);
    const path = join(out, `${NAME}_${version}_${architecture.debian}.deb`);
    // gzip: a sixth larger than xz, and unpacked on a small hub in a fifth of the time. lintian refuses zstd.
    const options = ["--root-owner-group", "-Zgzip", "-z5", "--build", tree, path];
    tool("dpkg-deb", options, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
    return path;
  } finally {
    rmSync(tree, { recursive: true });
  }
}
