/** The section of a version in the changelog, without its heading. @throws if it has none */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`${version} (`));
  const notes = section?.slice(section.indexOf("\n") + 1).trim();
  if (!notes) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return `${notes}\n`;
}
