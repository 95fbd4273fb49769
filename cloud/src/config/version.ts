/** The cloud's version, from the one place where it stands. */
import manifest from "../../package.json" with { type: "json" };

export const CLOUD_VERSION: string = manifest.version;
