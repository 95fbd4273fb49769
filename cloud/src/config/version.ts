/** The cloud's version, read from package.json. */
import manifest from "../../package.json" with { type: "json" };

export const CLOUD_VERSION: string = manifest.version;
