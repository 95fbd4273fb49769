/** Certificates as bridges have them, made when a test runs: of its own, or signed by an authority that the test makes too. Needs `openssl`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface BridgeCertificate {
  readonly cert: string;
  readonly key: string;
}

const EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const DAYS = ["-days", "9"];

/** Made out to the bridge and signed by itself, as older bridges have it. */
export function ownCertificate(bridgeId: string): BridgeCertificate {
  return inFolder((run, file) => {
    run("req", "-x509", ...EC, "-subj", `/CN=${bridgeId.toLowerCase()}`, "-keyout", "key", "-out", "cert", ...DAYS);
    return { cert: file("cert"), key: file("key") };
  });
}

/** Signed by an authority, which is given with it. */
export function signedCertificate(bridgeId: string): BridgeCertificate & { readonly root: string } {
  return inFolder((run, file) => {
    run("req", "-x509", ...EC, "-subj", "/C=NL/O=Test/CN=root", "-keyout", "root.key", "-out", "root", ...DAYS);
    run("req", "-new", ...EC, "-subj", `/C=NL/O=Test/CN=${bridgeId.toLowerCase()}`, "-keyout", "key", "-out", "csr");
    const by = ["-CA", "root", "-CAkey", "root.key", "-CAcreateserial"];
    run("x509", "-req", "-in", "csr", ...by, "-out", "cert", ...DAYS);
    return { cert: file("cert"), key: file("key"), root: file("root") };
  });
}

function inFolder<T>(make: (run: (...args: readonly string[]) => void, file: (name: string) => string) => T): T {
  const cwd = mkdtempSync(join(tmpdir(), "porchlight-hue-"));
  try {
    return make(
      (...args) => void execFileSync("openssl", args, { cwd, stdio: "pipe" }),
      (name) => readFileSync(join(cwd, name), "utf8"),
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
