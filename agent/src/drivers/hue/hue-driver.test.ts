import { everyDriver } from "../kit/judge/every-driver.suite.ts";
import { hueWorld } from "./hue-world.fixture.ts";

everyDriver("the lamps of a Hue bridge", hueWorld);
