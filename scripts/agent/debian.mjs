// The Debian package of the agent, from packaging/agent and an executable: what stands where, to be read in one list.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../tools.mjs";
import { buildDebian, put, requireChangelog, squeezed } from "./debian-tree.mjs";
import { manualPage } from "./manual.mjs";
import { notices } from "./notices.mjs";
import { sourceEpoch } from "./staging.mjs";

const NAME = "porchlight-agent";
const packaging = join(root, "packaging", "agent");
const read = (name) => readFileSync(join(packaging, name), "utf8");

/** Builds `NAME_VERSION_ARCHITECTURE.deb` in the folder `out`, and gives its path. */
export function buildDebianPackage(architecture, executable, out) {
  const { version } = JSON.parse(readFileSync(join(root, "agent", "package.json"), "utf8"));
  requireChangelog({ name: NAME, version, read }, "agent");
  const date = new Date(sourceEpoch() * 1000).toISOString().slice(0, 10);
  const about = {
    name: NAME,
    version,
    architecture: architecture.debian,
    notices: notices(executable.packages, read("nodejs-licence.txt")),
    scripts: ["postinst", "prerm", "postrm"],
    read,
  };
  return buildDebian(about, out, (tree) => {
    const program = join(tree, "usr/lib", NAME, NAME);
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync(executable.path, program);
    put(join(tree, `usr/bin/${NAME}`), read(`${NAME}.sh`), 0o755);
    put(join(tree, `lib/systemd/system/${NAME}.service`), read(`${NAME}.service`));
    put(join(tree, `usr/share/${NAME}/agent.yaml`), read("agent.yaml"));
    mkdirSync(join(tree, "etc/porchlight"), { recursive: true });
    put(
      join(tree, `usr/share/man/man1/${NAME}.1.gz`),
      squeezed(manualPage(read(`${NAME}.1`), { folder: "agent", version, date })),
    );
    put(join(tree, `usr/share/lintian/overrides/${NAME}`), read("lintian-overrides"));
  });
}
