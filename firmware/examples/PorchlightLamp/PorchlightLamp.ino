/*
 * A lamp on a board: the built-in LED, dimmed where its pin can, and a button between pin 2 and ground.
 *
 * Install the library Porchlight, or put porchlight.h and porchlight.c beside this file. Upload it, and start a hub on the board's port:
 *   porchlight-agent run … --serial /dev/ttyACM0
 * A hub opens the port without resetting the board. Nothing else may be written to Serial.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "porchlight.h"

static const int LAMP_PIN = LED_BUILTIN;
static const int BUTTON_PIN = 2;
/* Another for each board: the hardware's own EUI-48, or a locally administered one (its second digit 2, 6, A or E). */
static const char *const EDGE_ID = "02-50-4C-00-0A-01";

static const pl_property switch_properties[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property level_properties[] = {
    PL_STANDARD_RANGE("level", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 100)};
static const pl_property button_properties[] = {PL_STANDARD("event", PL_TEXT, PL_NOTIFY)};

enum { SWITCH, LEVEL, BUTTON };
static const pl_service services[] = {
    {"Switch", 0, switch_properties, 1}, {"LightLevel", 0, level_properties, 1}, {"Button", 0, button_properties, 1}};
static const pl_about about = {"Porchlight", "Board lamp", "1.0.0", NULL, NULL};
static const pl_device device = {EDGE_ID, services, 3, &about};

static bool is_on = false;
static double level = 100;
static uint32_t blinks_until = 0;
static bool is_blinking = false;

static void show() {
  bool const lit = is_blinking ? (millis() / 250) % 2 == 0 : is_on;
  analogWrite(LAMP_PIN, lit ? (int)(is_blinking ? 255 : level * 2.55) : 0);
}

static uint8_t read_lamp(void *, pl_address address, pl_value *value) {
  if (address.service == SWITCH) {
    value->type = PL_BOOLEAN;
    value->as.boolean = is_on;
  } else {
    value->type = PL_NUMBER;
    value->as.number = level;
  }
  return PL_OK;
}

static uint8_t write_lamp(void *context, pl_address address, pl_value *value) {
  if (address.service == SWITCH) is_on = value->as.boolean;
  else level = value->as.number;
  show();
  return read_lamp(context, address, value);
}

static uint8_t identify_lamp(void *, uint8_t, uint32_t seconds) {
  is_blinking = seconds > 0;
  blinks_until = millis() + seconds * 1000;
  show();
  return PL_OK;
}

static const pl_driver driver = {read_lamp, write_lamp, identify_lamp};
static pl_config config = {EDGE_ID, &about, &device, 1, 0, &driver, NULL};
static pl_node node;

/* Noise of an open input and of the clock: another number at every boot. */
static uint32_t noise() {
  uint32_t bits = micros();
  for (int turn = 0; turn < 64; turn++) bits = bits * 33u ^ (uint32_t)analogRead(A0) ^ micros();
  return bits == 0 ? 1 : bits;
}

static void send_all() {
  uint8_t byte;
  while (pl_transmit(&node, &byte, 1) == 1) Serial.write(byte);
}

static void look_at_button() {
  static bool was_down = false;
  static uint32_t changed_at = 0;
  bool const is_down = digitalRead(BUTTON_PIN) == LOW;
  /* A contact bounces for some milliseconds. */
  if (is_down == was_down || millis() - changed_at < 30) return;
  was_down = is_down;
  changed_at = millis();
  pl_value what;
  what.type = PL_TEXT;
  what.as.text.bytes = is_down ? "press" : "release";
  what.as.text.length = is_down ? 5 : 7;
  pl_address const button = {0, BUTTON, 0}, on = {0, SWITCH, 0};
  pl_event(&node, button, &what);
  if (!is_down) return;
  is_on = !is_on;
  show();
  pl_changed(&node, on);
}

void setup() {
  pinMode(LAMP_PIN, OUTPUT);
  pinMode(BUTTON_PIN, INPUT_PULLUP);
  Serial.begin(115200);
  config.boot = noise();
  /* Wrong tables: a light that stays on and says nothing. */
  if (pl_start(&node, &config, (uint16_t)config.boot, millis()) != PL_STARTED)
    for (;;) analogWrite(LAMP_PIN, 255);
}

void loop() {
  while (Serial.available() > 0) {
    uint8_t const byte = (uint8_t)Serial.read();
    /* Not taken while an answer waits: send that first. */
    while (pl_receive(&node, &byte, 1, millis()) == 0) send_all();
  }
  send_all();
  pl_tick(&node, millis());
  send_all();
  look_at_button();
  if (is_blinking && (int32_t)(millis() - blinks_until) >= 0) is_blinking = false;
  show();
}
