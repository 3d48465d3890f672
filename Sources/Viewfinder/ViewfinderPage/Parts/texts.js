// Numbers as text for the user. This file uses no elements of the page.

const UNKNOWN = "–";

/// HH:MM:SS:FF of a recording that has run for `seconds` at `rate` frames a second.
function timecodeText(seconds, rate) {
  if (!Number.isFinite(seconds) || !(rate > 0)) return "00:00:00:00";
  const past = Math.max(0, seconds), whole = Math.floor(past);
  const frame = Math.min(Math.floor((past - whole) * rate + 1e-6), Math.ceil(rate) - 1);
  const two = number => String(number).padStart(2, "0");
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60, frame].map(two).join(":");
}

/// A bias in EV, always with its sign, even for zero.
function biasText(value) {
  if (!Number.isFinite(value)) return UNKNOWN;
  const tenths = Math.round(value * 10) / 10;
  return `${tenths < 0 ? "-" : "+"}${Math.abs(tenths).toFixed(1)} EV`;
}

/// "1x", "1.3x": the same for the factor of the zoom and for that of a lens.
function zoomText(factor) { return Number.isFinite(factor) ? `${Number(factor.toFixed(1))}x` : UNKNOWN; }

/// "720p30": short, for a button.
function formatText({ height, rate }) { return `${height}p${Math.round(rate)}`; }

/// "1/50", or for 0.3 s and more "0.5 s".
function shutterText(duration) {
  if (!(duration > 0)) return UNKNOWN;
  return duration < 0.3 ? `1/${Math.round(1 / duration)}` : `${Number(duration.toFixed(2))} s`;
}

/// The number of a text such as "5600 K" or "-1,5"; NaN for another text.
function typedNumber(text) { return Number(/^\s*([+-]?\d*[.,]?\d+)\s*[a-zA-Z%]?\s*$/.exec(text)?.[1].replace(",", ".") ?? NaN); }

function typedShare(text) { return typedNumber(text) / 100; }

/// Seconds of a shutter as cameras write it: "1/100", and "100" for the same; "0.5" or "2 s" are seconds, "10 ms" are milliseconds.
function typedShutter(text) {
  const part = /^\s*1\s*\/(.*)$/.exec(text), inThousandths = /^(.*)ms\s*$/i.exec(text), value = typedNumber(part?.[1] ?? inThousandths?.[1] ?? text);
  const seconds = part || /^\s*\d+\s*$/.test(text) && value > 1 ? 1 / value : inThousandths ? value / 1000 : value;
  return value > 0 ? seconds : NaN;
}

function lengthText(seconds) {
  if (!Number.isFinite(seconds)) return UNKNOWN;
  return timecodeText(seconds, 1).slice(0, 8);
}

function bytesText(bytes) {
  if (!Number.isFinite(bytes)) return UNKNOWN;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/// Whole seconds until a Unix time, 0 once it has passed.
function secondsUntil(unix, now) { return Number.isFinite(unix) ? Math.max(0, Math.ceil(unix - now)) : 0; }

function percentText(share) { return Number.isFinite(share) ? `${Math.round(share * 100)} %` : UNKNOWN; }

function isoText(iso) { return Number.isFinite(iso) ? String(Math.round(iso)) : UNKNOWN; }

function kelvinText(kelvin) { return Number.isFinite(kelvin) ? `${Math.round(kelvin)} K` : UNKNOWN; }

function tintText(tint) { return Number.isFinite(tint) ? tint.toFixed(1) : UNKNOWN; }

/// The seconds of a time-code HH:MM:SS:FF. Null if the text is none.
function timecodeSeconds(text, rate) {
  const parts = /^(\d+):(\d\d):(\d\d):(\d\d)$/.exec(text ?? "")?.slice(1).map(Number);
  return parts ? parts[0] * 3600 + parts[1] * 60 + parts[2] + (rate > 0 ? parts[3] / rate : 0) : null;
}
