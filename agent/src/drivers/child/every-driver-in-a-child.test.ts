/** The drivers of the hub behind a channel in memory: what holds in the agent's own process holds in a child. */
import { settle, VirtualClock } from "@porchlight/shared/kernel";
import type { OpenBroker } from "../../mqtt-broker/index.ts";
import type { DriverUnderTest } from "../kit/every-driver.suite.ts";
import { everyDriver } from "../kit/every-driver.suite.ts";
import { FakeHost } from "../kit/fake-host.fixture.ts";
import { HomeNetwork } from "../lan/home-network.fixture.ts";
import { BrokerHome, PLUG, Plug } from "../mqtt/broker-home.fixture.ts";
import { ON } from "../mqtt/plain-dialect.fixture.ts";
import { HubAndNode, SWITCH } from "../porchlight/hub-and-node.fixture.ts";
import { LAMP } from "../porchlight/scripted-node.fixture.ts";
import { type Child, LateHost, throughChannel } from "./through-channel.fixture.ts";

type Hands = Pick<
  DriverUnderTest,
  "device" | "property" | "touched" | "silence" | "speak" | "cut" | "mend" | "change" | "attempt"
>;

function underTest({ driver }: Child, host: FakeHost, clock: VirtualClock, hands: Hands): DriverUnderTest {
  return {
    ...hands,
    driver,
    host,
    settled: async (promise) => {
      if (promise) return clock.until(promise);
      await settle();
      return undefined;
    },
    pass: (ms) => clock.advance(ms),
    pending: () => clock.pending(),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}

everyDriver("any line that speaks the device protocol, in a child", async () => {
  const [clock, host] = [new VirtualClock(), new FakeHost()];
  const made = Promise.withResolvers<HubAndNode>();
  const child = await throughChannel({ clock, host }, (around) => {
    const both = new HubAndNode({}, { host: around.host }, { clock, host });
    made.resolve(both);
    return both.driver;
  });
  const both = await made.promise;
  await clock.advance(0);
  return underTest(child, host, clock, {
    device: LAMP,
    property: SWITCH,
    touched: () => both.node.got("WRITE").length,
    silence: () => {
      both.node.script = () => [];
    },
    speak: () => {
      both.node.script = () => undefined;
    },
    cut: () => {
      both.isThere = false;
      both.node.detach();
    },
    mend: () => {
      both.isThere = true;
    },
    change: (value) => void both.node.report("Switch.on", value),
    attempt: (ms, mayTouch) => both.attempt(ms, mayTouch),
  });
});

everyDriver("the home network, in a child", async () => {
  const [late, host] = [new LateHost(), new FakeHost()];
  const home = new HomeNetwork({ host: late });
  const { clock, node } = home;
  const child = await throughChannel({ clock, host }, (around) => {
    late.set(around.host);
    return home.driver;
  });
  await clock.advance(0);
  await home.announce();
  return underTest(child, host, clock, {
    device: LAMP,
    property: SWITCH,
    touched: () => node.got("WRITE").length,
    silence: () => {
      node.script = () => [];
    },
    speak: () => {
      node.script = () => undefined;
    },
    cut: () => {
      home.places.clear();
      node.detach();
    },
    mend: () => void home.places.set("10.0.0.7:4000", node),
    change: (value) => void node.report("Switch.on", value),
    attempt: (ms, mayTouch) => home.attempt(ms, mayTouch),
  });
});

everyDriver("a broker, in a child", async () => {
  const [late, host] = [new LateHost(), new FakeHost()];
  const open: OpenBroker = async (...given) => {
    await late.ready.promise;
    return home.broker.open(...given);
  };
  const home: BrokerHome = new BrokerHome({ host: late, open });
  const { clock, broker } = home;
  const plug = new Plug(broker, { identify: true });
  const child = await throughChannel({ clock, host }, (around) => {
    late.set(around.host);
    return home.driver;
  });
  await home.pass(100);
  return underTest(child, host, clock, {
    device: PLUG,
    property: ON,
    touched: () => plug.touched,
    silence: () => {
      plug.answers = false;
    },
    speak: () => {
      plug.answers = true;
    },
    cut: () => broker.cut(),
    mend: () => broker.mend(),
    change: (value) => plug.change(value),
    attempt: (ms, mayTouch) => home.attempt(ms, mayTouch),
  });
});
