/** Ten thousand hubs come back to three nodes after a cold start of everything, with `--long` also after ten minutes without it. */
import { rounds } from "../parts/rounds.ts";
import { coldStart, LONG, SHORT } from "./nodes/cold-start.ts";

await coldStart(3, [SHORT, LONG].slice(0, rounds(1, 2)));
