// The Debian package of the Matter bridge, from packaging/matter-bridge and its bundle: what stands where, to be read in one list.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools.mjs";
import { buildDebian, put, requireChangelog } from "./debian-tree.mjs";
import { noticesOf } from "./notices.mjs";

const NAME = "porchlight-matter-bridge";
const FOLDER = "matter-bridge";
const read = (name) => readFileSync(join(root, "packaging", FOLDER, name), "utf8");

/** Builds `NAME_VERSION_all.deb` in the folder `out`, and gives its path. @param bundle its `code`, and the `packages` that are in it */
export function buildBridgePackage({ code, packages }, out) {
  const { version } = JSON.parse(readFileSync(join(root, FOLDER, "package.json"), "utf8"));
  requireChangelog({ name: NAME, version, read }, FOLDER);
  const scripts = ["postinst", "prerm", "postrm"];
  const about = { name: NAME, version, architecture: "all", notices: noticesOf(packages), scripts, read };
  return buildDebian(about, out, (tree) => {
    put(join(tree, `usr/lib/${NAME}/${NAME}.cjs`), code);
    put(join(tree, `usr/lib/${NAME}/credential`), read("credential.sh"), 0o755);
    put(join(tree, `lib/systemd/system/${NAME}.service`), read(`${NAME}.service`));
    put(join(tree, `usr/share/${NAME}/matter-bridge.yaml`), read("matter-bridge.yaml"));
  });
}
