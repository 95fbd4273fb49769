/** The scenes of a home, each with a button that calls it. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { scenesQuery } from "../../data/queries.ts";
import { ConsoleCommand } from "../../kit/display/console-command.tsx";
import { Page } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { CONSOLE_COMMANDS } from "../../kit/text/console-commands.ts";
import { useApi } from "../../session/context.tsx";
import { SceneCard } from "./scene-card.tsx";
import classes from "./scenes.module.css";
import { useSceneHome } from "./words/use-scene-home.ts";

const route = getRouteApi("/inside/environments/$environmentId/scenes");

export function ScenesPage() {
  const { environmentId } = route.useParams();
  const scenes = useQuery(scenesQuery(useApi(), environmentId));
  const home = useSceneHome(environmentId).data;
  const make = (
    <Button
      renderRoot={(props) => (
        <Link to="/environments/$environmentId/scenes/new" params={{ environmentId }} {...props} />
      )}
    >
      Create scene
    </Button>
  );
  return (
    <Page
      title="Scenes"
      lead="A scene sets several devices at once, such as the lamps and blinds of an evening."
      actions={(scenes.data?.length ?? 0) > 0 && make}
    >
      <QueryView
        query={scenes}
        isEmpty={(all) => all.length === 0}
        empty={
          <Empty
            title="No scenes yet"
            action={make}
            command={
              <ConsoleCommand command={CONSOLE_COMMANDS.scenes(environmentId)}>
                To create one of the values that all devices have now, run:
              </ConsoleCommand>
            }
          >
            Set your devices as you want them, for example for the evening. Then create a scene from what is so now, and
            call it whenever you want the same again.
          </Empty>
        }
      >
        {(all) => (
          <ul className={classes.cards} aria-label="Scenes">
            {all.map((scene) => (
              <SceneCard key={scene.id} scene={scene} home={home} />
            ))}
          </ul>
        )}
      </QueryView>
    </Page>
  );
}
