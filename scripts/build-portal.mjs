// `npm run build:portal`: the portal as the cloud serves it, in `portal/dist`.
import { buildPortal } from "./portal/build.mjs";

buildPortal();
