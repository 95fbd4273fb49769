/** The dashboard page of an environment: the pinned cards in their order. */
import { Button, Group, NativeSelect, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Page, Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { CardView, cardTitle, useArrange, usualTitle } from "./card-view.tsx";
import {
  added,
  edited,
  MOST_CARDS,
  movedTo,
  type PinnedCard,
  rangeChoices,
  ranged,
  USUAL_LENGTH,
  without,
} from "./cards.ts";
import classes from "./dashboard.module.css";
import { useDashboard, useThings } from "./use-dashboard.ts";

const loadAdd = () => import("./add-card.tsx");
const loadEdit = () => import("./edit-card.tsx");

const route = getRouteApi("/inside/environments/$environmentId/dashboard");

export function DashboardPage() {
  const { environmentId } = route.useParams();
  return <OfEnvironment environmentId={environmentId} key={environmentId} />;
}

function OfEnvironment({ environmentId }: { readonly environmentId: string }) {
  const { query, dashboard, change, changeAsync, error, forget } = useDashboard(environmentId);
  const things = useThings(environmentId);
  const [isAdding, setAdding] = useState(false);
  const [isArranging, setArranging] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const [editingId, setEditing] = useState<string>();
  const { Part: AddCard, error: noAdd } = useWanted(loadAdd, isAdding);
  const { Part: EditCard, error: noEdit } = useWanted(loadEdit, editingId !== undefined);
  const { cards, unread, length } = dashboard;
  const editing = cards.find(({ id }) => id === editingId);
  const notLoaded = noAdd ?? noEdit;
  const putAway = () => {
    setAdding(false);
    setEditing(undefined);
  };
  const move = (id: string, place: string) => {
    change(movedTo(id, place));
    const card = cards.find((each) => each.id === id);
    if (card)
      setAnnouncement(
        `${cardTitle(card, things)} is now card ${cards.findIndex((each) => each.id === place) + 1} of ${cards.length}.`,
      );
  };
  const arranging = useArrange(
    cards.map(({ id }) => id),
    move,
  );
  const add = (variant: "filled" | "default") => (
    <Button
      variant={variant}
      aria-haspopup="dialog"
      disabled={cards.length >= MOST_CARDS}
      onClick={() => setAdding(true)}
    >
      Add card
    </Button>
  );
  return (
    <Page
      title="Dashboard"
      lead="Shared by everybody with access to this environment."
      actions={
        cards.length > 0 && (
          <>
            {add("filled")}
            <Button variant="default" aria-pressed={isArranging} onClick={() => setArranging(!isArranging)}>
              {isArranging ? "Done" : "Arrange cards"}
            </Button>
          </>
        )
      }
    >
      {error && <Failure error={error} putAway={forget} />}
      {notLoaded && <Failure error={notLoaded} putAway={putAway} />}
      {isAdding && AddCard && (
        <AddCard
          things={things}
          onClose={() => setAdding(false)}
          onAdd={(fresh: readonly PinnedCard[]) => changeAsync(added(...fresh))}
        />
      )}
      {editing && EditCard && (
        <EditCard
          card={editing}
          usual={usualTitle(editing, things)}
          dashboardLength={length}
          onEdit={changeAsync}
          onClose={putAway}
        />
      )}
      {isArranging && cards.some(({ kind }) => kind === "chart") && (
        <NativeSelect
          label="Charts show"
          description="Each chart without a time of its own, for everybody."
          maw="22rem"
          value={String(length ?? USUAL_LENGTH)}
          onChange={(event) => change(ranged(Number(event.currentTarget.value)))}
          data={[...rangeChoices(length)]}
        />
      )}
      <p className="unseen" role="status">
        {announcement}
      </p>
      <QueryView
        query={query}
        isEmpty={() => cards.length === 0}
        empty={
          <Section title="Cards">
            <Empty
              title="No cards yet"
              action={
                <Group>
                  {add("filled")}
                  <Button
                    variant="default"
                    renderRoot={(props) => (
                      <Link to="/environments/$environmentId/devices" params={{ environmentId }} {...props} />
                    )}
                  >
                    Go to devices
                  </Button>
                </Group>
              }
            >
              A card shows a value as it is now, or a chart of what it was. Add one here, or open the history of a value
              on the page of a device and choose <i>Pin value</i> or <i>Pin chart</i>. Everybody with access to this
              environment sees the same cards.
            </Empty>
          </Section>
        }
      >
        {() => (
          <ul className={classes.cards}>
            {cards.map((card) => (
              <CardView
                key={card.id}
                {...{ card, things, arranging, isArranging }}
                length={length ?? USUAL_LENGTH}
                onEdit={() => setEditing(card.id)}
                onSize={(size) => change(edited(card.id, { size }))}
                onRemove={() => change(without(card.id))}
              />
            ))}
          </ul>
        )}
      </QueryView>
      {unread.length > 0 && (
        <Text c="dimmed" size="sm">
          {counted(unread.length, "card")} of this dashboard cannot be read by this version of the portal. They are
          kept.
        </Text>
      )}
    </Page>
  );
}
