const files = import.meta.glob<string>("../pictures/*.webp", { query: "?url", import: "default", eager: true });

/** One of our pictures in two widths, 3:2 unless its name says otherwise, as the attributes of an `<img>`. */
export function pictureOf(name: string): { src: string; srcSet: string } {
  const at = (widthPx: number) => {
    const url = files[`../pictures/${name}-${widthPx}.webp`];
    if (!url) throw new Error(`There is no picture "${name}" of ${widthPx} px`);
    return url;
  };
  return { src: at(720), srcSet: `${at(720)} 720w, ${at(1280)} 1280w` };
}
