export const metadataChoices = ["none", "copyright", "all-but-place"] as const;
export type MetadataChoice = (typeof metadataChoices)[number];

/** The field of operations whose result may keep metadata of its picture. */
export const metadataField = {
  metadata: {
    kind: "choice",
    label: "Metadata",
    labels: { none: "Remove all", copyright: "Keep copyright", "all-but-place": "Keep all but location" },
    values: metadataChoices,
    default: "copyright",
    say: `Please choose what to keep of the metadata: ${metadataChoices.join(", ")}.`,
    describe:
      "What the result keeps of EXIF, IPTC and XMP. none: nothing. copyright: creator, copyright, licence, credit line and date. all-but-place: camera and settings too. Location, serial numbers, the owner's name, thumbnails and maker notes are always removed. GIF and BMP keep nothing. Of several steps the last one decides, and none in any of them removes everything.",
  },
} as const;
