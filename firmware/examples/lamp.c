/*
 * A lamp on a pseudo-terminal: the smallest complete use of porchlight.c on a desktop.
 *
 *   cc -std=c99 -I firmware -o lamp firmware/examples/lamp.c firmware/porchlight.c
 *   ./lamp                       prints the port that a hub opens: porchlight-agent run … --serial PORT
 *   ./lamp --port PATH           speaks on a port that is there, as that of porchlight-sim conform --exec './lamp --port {port}'
 *
 * Keys, each followed by Enter: p presses its button, t turns it on or off at its own switch, q ends it.
 * Options: --port PATH, --id EDGEID, --boot N, --quiet, --conformance (it counts what it carries out, for porchlight-sim conform). What the lamp does is told on standard output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 600
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "porchlight.h"

/* What it is: the tables. */
static const pl_property switch_properties[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property level_properties[] = {
    PL_STANDARD_RANGE("level", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 100)};
static const pl_property color_properties[] = {
    PL_STANDARD_RANGE("hue", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 360),
    PL_STANDARD_RANGE("saturation", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 100)};
static const pl_property button_properties[] = {PL_STANDARD("event", PL_TEXT, PL_NOTIFY)};
static const char *const effects[] = {"none", "candle", "rainbow", NULL};
/* A class of its own describes its properties itself. */
static const pl_property effect_properties[] = {
    {"name", PL_TEXT, PL_READ | PL_WRITE | PL_NOTIFY, false, NULL, 0, 0, 0, 0, effects},
    {"speed", PL_INTEGER, PL_READ | PL_WRITE | PL_NOTIFY, false, "rpm", PL_LO | PL_HI | PL_STEP, 0, 60, 1, NULL}};

/* An aid to being proved, which no product needs: how much was carried out since boot. */
static const pl_property conformance_properties[] = {{"acted", PL_INTEGER, PL_READ, false, NULL, 0, 0, 0, 0, NULL}};

enum { SWITCH, LEVEL, COLOR, BUTTON, EFFECT, CONFORMANCE };
static const pl_service services[] = {
    {"Switch", 0, switch_properties, 1}, {"LightLevel", 0, level_properties, 1}, {"LightColor", 0, color_properties, 2},
    {"Button", 0, button_properties, 1}, {"Effect", 0, effect_properties, 2},
    {"Conformance", 0, conformance_properties, 1},
};
static const pl_about about = {"Porchlight", "Desktop lamp", "1.0.0", NULL, NULL};

/* What it does. */
typedef struct {
  bool is_on, is_quiet;
  double level, hue, saturation;
  const char *effect;
  int64_t speed, acted;
} lamp;

static void tell(const lamp *it) {
  if (it->is_quiet) return;
  printf("lamp: %s, level %g, hue %g, saturation %g, effect %s at %lld rpm\n", it->is_on ? "on" : "off", it->level, it->hue,
         it->saturation, it->effect, (long long)it->speed);
  fflush(stdout);
}

static uint8_t read_lamp(void *context, pl_address address, pl_value *value) {
  const lamp *const it = context;
  value->type = PL_NUMBER;
  switch (address.service) {
    case SWITCH:
      value->type = PL_BOOLEAN;
      value->as.boolean = it->is_on;
      break;
    case LEVEL: value->as.number = it->level; break;
    case COLOR: value->as.number = address.property == 0 ? it->hue : it->saturation; break;
    case CONFORMANCE:
      value->type = PL_INTEGER;
      value->as.integer = it->acted;
      break;
    case EFFECT:
      if (address.property == 0) {
        value->type = PL_TEXT;
        value->as.text.bytes = it->effect;
        value->as.text.length = strlen(it->effect);
      } else {
        value->type = PL_INTEGER;
        value->as.integer = it->speed;
      }
      break;
    default: return PL_NOT_READABLE;
  }
  return PL_OK;
}

static uint8_t write_lamp(void *context, pl_address address, pl_value *value) {
  lamp *const it = context;
  it->acted++;
  switch (address.service) {
    case SWITCH: it->is_on = value->as.boolean; break;
    case LEVEL: it->level = value->as.number; break;
    case COLOR: *(address.property == 0 ? &it->hue : &it->saturation) = value->as.number; break;
    default:
      if (address.property == 1) it->speed = value->as.integer;
      else
        /* The value itself is gone after this call: keep the text of our own table. */
        for (const char *const *each = effects; *each; each++)
          if (strlen(*each) == value->as.text.length && memcmp(*each, value->as.text.bytes, value->as.text.length) == 0)
            it->effect = *each;
  }
  tell(it);
  return read_lamp(context, address, value);
}

static uint8_t identify_lamp(void *context, uint8_t place, uint32_t seconds) {
  lamp *const it = context;
  (void)place;
  it->acted++;
  if (!it->is_quiet) printf(seconds > 0 ? "lamp: blinks for %lu s\n" : "lamp: blinks no more\n", (unsigned long)seconds);
  fflush(stdout);
  return PL_OK;
}

static uint32_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* A pseudo-terminal; the side that a hub opens is kept open here too, so that it can come and go. */
static int open_port(void) {
  struct termios raw;
  int const port = posix_openpt(O_RDWR | O_NOCTTY);
  if (port < 0 || grantpt(port) != 0 || unlockpt(port) != 0) return -1;
  const char *const path = ptsname(port);
  int const other = path ? open(path, O_RDWR | O_NOCTTY) : -1;
  if (other < 0 || tcgetattr(other, &raw) != 0) return -1;
  cfmakeraw(&raw);
  if (tcsetattr(other, TCSANOW, &raw) != 0 || fcntl(port, F_SETFL, O_NONBLOCK) != 0) return -1;
  printf("port %s\n", path);
  fflush(stdout);
  return port;
}

/* A port that somebody else has made. */
static int open_given(const char *path) {
  struct termios raw;
  int const port = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (port < 0 || tcgetattr(port, &raw) != 0) return -1;
  cfmakeraw(&raw);
  return tcsetattr(port, TCSANOW, &raw) == 0 ? port : -1;
}

/* Takes what the node has to send; when the line takes no more, the rest is lost, as on any line that nobody reads. */
static void send_all(pl_node *node, int port) {
  uint8_t bytes[64];
  for (size_t count; (count = pl_transmit(node, bytes, sizeof bytes)) > 0;)
    if (write(port, bytes, count) < 0) continue;
}

static void key(pl_node *node, lamp *it, char pressed) {
  static const pl_value press = {PL_TEXT, {.text = {"press", 5}}};
  pl_address const button = {0, BUTTON, 0}, on = {0, SWITCH, 0};
  if (pressed == 'p') pl_event(node, button, &press);
  if (pressed == 't') {
    it->is_on = !it->is_on;
    tell(it);
    pl_changed(node, on);
  }
}

int main(int count, char **words) {
  lamp it = {false, false, 100, 40, 60, "none", 10, 0};
  uint8_t count_of_services = CONFORMANCE;
  const char *id = "02-50-4C-00-0C-01", *given = NULL;
  uint32_t boot = (uint32_t)time(NULL) ^ (uint32_t)getpid() << 16;
  for (int each = 1; each < count; each++) {
    if (strcmp(words[each], "--quiet") == 0) it.is_quiet = true;
    else if (strcmp(words[each], "--conformance") == 0) count_of_services = CONFORMANCE + 1;
    else if (strcmp(words[each], "--id") == 0 && each + 1 < count) id = words[++each];
    else if (strcmp(words[each], "--port") == 0 && each + 1 < count) given = words[++each];
    else if (strcmp(words[each], "--boot") == 0 && each + 1 < count) boot = (uint32_t)strtoul(words[++each], NULL, 10);
    else return fprintf(stderr, "usage: lamp [--port PATH] [--id EDGEID] [--boot N] [--quiet] [--conformance]\n"), 2;
  }
  pl_driver const driver = {read_lamp, write_lamp, identify_lamp};
  pl_device const device = {id, services, count_of_services, &about};
  pl_config const config = {id, &about, &device, 1, boot, &driver, &it};
  static pl_node node;
  int const port = given ? open_given(given) : open_port();
  if (port < 0) return perror("lamp"), 1;
  pl_fault const fault = pl_start(&node, &config, (uint16_t)boot, milliseconds());
  if (fault != PL_STARTED) return fprintf(stderr, "lamp: its tables are wrong (%d)\n", (int)fault), 1;

  uint8_t bytes[256];
  ssize_t held = 0, taken = 0;
  for (struct pollfd watched[2] = {{port, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};;) {
    poll(watched, 2, taken < held ? 0 : 20);
    if (taken == held && (watched[0].revents & POLLIN)) {
      held = read(port, bytes, sizeof bytes);
      taken = 0;
    }
    if (taken < held) taken += (ssize_t)pl_receive(&node, bytes + taken, (size_t)(held - taken), milliseconds());
    else held = taken = 0;
    if (watched[1].revents) {
      char pressed;
      if (read(STDIN_FILENO, &pressed, 1) != 1) watched[1].fd = -1;
      else if (pressed == 'q') return 0;
      else key(&node, &it, pressed);
    }
    send_all(&node, port);
    pl_tick(&node, milliseconds());
    send_all(&node, port);
  }
}
