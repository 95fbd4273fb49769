// The Debian package of the bridge, from packaging/matter-bridge and its bundle.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { tool } from "../agent/architectures.mjs";
import { thirdPartyNotices } from "../agent/notices.mjs";
import { lookAlike, sourceEpoch, sums } from "../agent/staging.mjs";
import { root } from "../tools.mjs";

const NAME = "porchlight-matter-bridge";
const packaging = join(root, "packaging", "matter-bridge");
const read = (name) => readFileSync(join(packaging, name), "utf8");
const squeezed = (text) => gzipSync(text, { level: 9 });

/** Builds `NAME_VERSION_all.deb` in the folder `out`, and gives its path. */
export function buildBridgePackage(bundle, out) {
  const { version } = JSON.parse(readFileSync(join(root, "matter-bridge", "package.json"), "utf8"));
  const [latest = ""] = read("changelog").split("\n");
  if (latest !== `${NAME} (${version}) unstable; urgency=medium`)
    throw new Error(`packaging/matter-bridge/changelog has no entry of version ${version} on top`);
  const epoch = sourceEpoch();
  const tree = mkdtempSync(join(tmpdir(), "porchlight-deb-"));
  const put = (path, content, mode = 0o644) => {
    const to = join(tree, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
    chmodSync(to, mode);
  };
  try {
    const program = join(tree, "usr/lib", NAME, `${NAME}.cjs`);
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync(bundle.path, program);
    chmodSync(program, 0o644);
    put(`usr/lib/${NAME}/credential`, read("credential.sh"), 0o755);
    put(`lib/systemd/system/${NAME}.service`, read(`${NAME}.service`));
    put(`usr/share/${NAME}/matter-bridge.yaml`, read("matter-bridge.yaml"));
    put(`usr/share/doc/${NAME}/copyright`, read("copyright"));
    put(`usr/share/doc/${NAME}/changelog.gz`, squeezed(read("changelog")));
    put(`usr/share/doc/${NAME}/third-party-notices.gz`, squeezed(thirdPartyNotices(bundle.packages)));
    const { md5sums, kibibytes } = sums(tree);
    const facts = { VERSION: version, SIZE: String(kibibytes) };
    put(
      "DEBIAN/control",
      read("control").replaceAll(/@(\w+)@/g, (_, fact) => facts[fact]),
    );
    put("DEBIAN/md5sums", md5sums);
    for (const script of ["postinst", "prerm", "postrm"]) put(`DEBIAN/${script}`, read(`scripts/${script}`), 0o755);
    lookAlike(tree, epoch);
    const path = join(out, `${NAME}_${version}_all.deb`);
    const options = ["--root-owner-group", "-Zgzip", "-z5", "--build", tree, path];
    tool("dpkg-deb", options, { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } });
    return path;
  } finally {
    rmSync(tree, { recursive: true });
  }
}
