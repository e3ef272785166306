import { z } from "zod";
import { formatNamed, type InputFormat, type OutputFormat, outputFormats } from "./format.ts";
import {
  backgroundProfiles,
  manualProfile,
  maxSidePx,
  resizeMethods,
  scaleFactors,
  type TaskName,
  upscaleModels,
} from "./task.ts";
import { text } from "./text.ts";

/** A form's blank field is one that was not filled in. */
const blankIsMissing = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
const form = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsMissing, schema);
/** `Number("")`, `Number(true)` and `Number("0x10")` are numbers to JavaScript and not to a person. */
const wholeNumber = ({ min, max, say }: { min: number; max: number; say: string }) =>
  z
    .union([z.number(), z.string().regex(/^\s*[0-9]{1,9}\s*$/, say)], say)
    .transform(Number)
    .pipe(z.number().int(say).min(min, say).max(max, say));
const side = (name: "width" | "height") => {
  const say = text.invalidSide(name);
  return form(wholeNumber({ min: 1, max: maxSidePx, say }).optional());
};
const oneOf = <const T extends readonly string[]>(values: T, name: string) =>
  z.enum(values, `Please choose a ${name}: ${values.join(", ")}.`);
const yes = form(
  z.union([z.boolean(), z.stringbool({ truthy: ["true", "1", "yes", "on"], falsy: ["false", "0", "no", "off"] })]),
);

const targetFormat = form(
  z
    .string(text.selectTarget)
    .transform((name, context): OutputFormat => {
      const format = formatNamed(name);
      const writable = outputFormats.find((one) => one === format);
      if (writable) return writable;
      context.addIssue({ code: "custom", message: `Please choose a target format: ${outputFormats.join(", ")}.` });
      return z.NEVER;
    })
    .meta({ description: "The format to write.", enum: [...outputFormats] }),
);
/** What a browser believes the source to be is welcome and not believed: formats are known by content. */
const sourceFormat = form(
  z
    .string()
    .transform((name): InputFormat | undefined => formatNamed(name))
    .optional()
    .meta({ description: "What you believe the source to be; the file's content decides." }),
);

const compressOptions = z.object({
  quality: form(wholeNumber({ min: 1, max: 100, say: text.invalidQuality })).meta({
    description:
      "1 (smallest) to 100 (visually lossless, or lossless where the format can). The same number looks the same in every format.",
    example: 75,
  }),
});

const resizeOptions = z
  .object({
    width: side("width").meta({ description: "Pixels; blank: from the height, by the ratio.", example: 1600 }),
    height: side("height").meta({ description: "Pixels; blank: from the width, by the ratio." }),
    method: form(oneOf(resizeMethods, "method").default("fill")).meta({
      description: "fit: inside the box. fill: covers the box, the centre is cut out. stretch: the ratio is ignored.",
    }),
  })
  .refine((options) => options.width !== undefined || options.height !== undefined, {
    message: text.enterSide,
    path: ["width"],
  });

const upscaleOptions = z.object({
  scale_factor: form(
    z.coerce
      .number("Please choose a scale factor: 2, 4 or 8.")
      .pipe(z.literal([...scaleFactors], "Please choose a scale factor: 2, 4 or 8."))
      .default(4),
  ).meta({ description: "How many times wider and higher.", example: 2 }),
  model: form(oneOf(upscaleModels, "model").default("auto")).meta({
    description: "clean: for sharp originals. compressed: for pictures with JPEG traces. auto: by what the file says.",
  }),
});

const removeBackgroundOptions = z.object({
  profile: form(oneOf([...backgroundProfiles, manualProfile], "profile").default("auto_rembg")),
  background: form(
    z
      .string()
      .regex(
        /^(transparent|#[0-9a-f]{3}|#[0-9a-f]{6})$/i,
        "Please give the background as transparent, or a colour like #ffffff.",
      )
      .optional(),
  ).meta({ description: "transparent (the default), or a colour. A picture goes into the field background_image." }),
  crop: form(yes.default(false)).meta({ description: "Cut to the subject." }),
  margin: form(wholeNumber({ min: 0, max: 50, say: "Please give the margin as 0 to 50 percent." }).default(5)).meta({
    description: "With crop: free space around the subject, percent of its longer side.",
  }),
  mask_only: form(yes.default(false)).meta({ description: "Answer with the matte itself, as a grey PNG." }),
});

const convertOptions = z.object({ source_format: sourceFormat, target_format: targetFormat });

const previewOptions = z.object({
  side: form(wholeNumber({ min: 16, max: 2048, say: "Please give the side as 16 to 2048." }).default(512)).meta({
    description: "Longest side of the preview, px.",
  }),
});

/** Options of each task, parsed from a form's text fields. Unknown fields are ignored. */
export const taskOptions = {
  compress: compressOptions,
  resize: resizeOptions,
  upscale: upscaleOptions,
  "remove-background": removeBackgroundOptions,
  convert: convertOptions,
  upload: z.object({}),
  preview: previewOptions,
} as const satisfies Record<TaskName, z.ZodType>;
export type TaskOptions<Name extends TaskName> = z.infer<(typeof taskOptions)[Name]>;
