// The Debian package of the cloud, from packaging/cloud, an executable and the files that it serves: what stands where, to be read in one list.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cloudFiles, packagesOfPages } from "../images/cloud-files.mjs";
import { root } from "../tools.mjs";
import { buildDebian, put, requireChangelog, squeezed } from "./debian-tree.mjs";
import { manualPage } from "./manual.mjs";
import { notices } from "./notices.mjs";
import { sourceEpoch } from "./staging.mjs";

const NAME = "porchlight-cloud";
const FOLDER = "cloud";
const packaging = join(root, "packaging", FOLDER);
const read = (name) => readFileSync(join(packaging, name), "utf8");
const EXAMPLES = ["Caddyfile", "grafana-dashboard.json", "haproxy.cfg", "nginx.conf", "prometheus-alerts.yaml"];

/** Builds `NAME_VERSION_ARCHITECTURE.deb` in the folder `out`, and gives its path. */
export function buildCloudPackage(architecture, executable, out) {
  const { version } = JSON.parse(readFileSync(join(root, FOLDER, "package.json"), "utf8"));
  requireChangelog({ name: NAME, version, read }, FOLDER);
  const date = new Date(sourceEpoch() * 1000).toISOString().slice(0, 10);
  const packages = [...new Set([...executable.packages, ...packagesOfPages()])].sort();
  const nodeLicence = readFileSync(join(root, "packaging", "agent", "nodejs-licence.txt"), "utf8");
  const about = {
    name: NAME,
    version,
    architecture: architecture.debian,
    notices: notices(packages, nodeLicence),
    scripts: ["postinst", "prerm", "postrm"],
    read,
  };
  return buildDebian(about, out, (tree) => {
    const program = join(tree, "usr/lib", NAME, NAME);
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync(executable.path, program);
    for (const { path, content } of cloudFiles()) put(join(tree, "usr/lib", NAME, path), content);
    put(join(tree, `usr/bin/${NAME}`), read(`${NAME}.sh`), 0o755);
    const units = join(tree, "lib/systemd/system");
    for (const unit of [NAME, `${NAME}@`]) put(join(units, `${unit}.service`), read(`${NAME}.service`));
    put(join(units, `${NAME}@.service.d`, "port.conf"), read("port.conf"));
    put(join(tree, `usr/share/${NAME}/cloud.yaml`), read("cloud.yaml"));
    const manual = manualPage(read(`${NAME}.1`), { folder: FOLDER, version, date });
    put(join(tree, `usr/share/man/man1/${NAME}.1.gz`), squeezed(manual));
    put(join(tree, `usr/share/lintian/overrides/${NAME}`), read("lintian-overrides"));
    for (const example of EXAMPLES) put(join(tree, `usr/share/doc/${NAME}/examples/${example}`), read(example));
  });
}
