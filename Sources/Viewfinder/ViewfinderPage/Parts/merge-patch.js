// JSON Merge Patch (RFC 7396). A part that the patch does not change stays the same object, so that a view can
// find the changed parts by identity.

function isObject(value) { return value !== null && typeof value === "object" && !Array.isArray(value); }

function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key === "__proto__") continue;
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
