import type {
  backgroundProfiles,
  InputFormat,
  OperationName,
  OutputFormat,
  resizeMethods,
  scaleFactors,
  upscaleModels,
} from "@tintype/contract";

export type Ground = "transparent" | "colour" | "picture";

/** What the person set, a tool. Text fields stay text until they are sent, so that nothing typed is lost. */
export type Settings = {
  compress: { quality: string };
  resize: { width: string; height: string; method: (typeof resizeMethods)[number] };
  upscale: { scaleFactor: (typeof scaleFactors)[number]; model: (typeof upscaleModels)[number] };
  "remove-background": {
    profile: (typeof backgroundProfiles)[number];
    /** What the subject is put before. */
    ground: Ground;
    /** Of the ground: `#rrggbb`, and the picture. Both stay while another one is chosen. */
    colour: string;
    picture: File | undefined;
    isCropped: boolean;
    isMaskOnly: boolean;
  };
  convert: { sourceFormat: InputFormat | ""; targetFormat: OutputFormat | "" };
};

export const defaultSettings: Settings = {
  compress: { quality: "" },
  resize: { width: "", height: "", method: "fill" },
  upscale: { scaleFactor: 4, model: "auto" },
  "remove-background": {
    ...{ profile: "auto_rembg", ground: "transparent", colour: "#ffffff", picture: undefined },
    ...{ isCropped: false, isMaskOnly: false },
  },
  convert: { sourceFormat: "", targetFormat: "" },
};

/** The form fields that go with the pictures; a file among them is a picture of its own and not one to work on. */
export function formFields(tool: OperationName, settings: Settings): Record<string, string | File> {
  switch (tool) {
    case "compress":
      return { quality: settings.compress.quality.trim() };
    case "resize": {
      const { width, height, method } = settings.resize;
      return { width: width.trim(), height: height.trim(), method };
    }
    case "upscale":
      return { scale_factor: String(settings.upscale.scaleFactor), model: settings.upscale.model };
    case "remove-background": {
      const { profile, ground, colour, picture, isCropped, isMaskOnly } = settings["remove-background"];
      return {
        profile,
        background: ground === "colour" ? colour : "transparent",
        crop: String(isCropped),
        mask_only: String(isMaskOnly),
        ...(ground === "picture" && picture && !isMaskOnly ? { background_image: picture } : {}),
      };
    }
    case "convert":
      return { source_format: settings.convert.sourceFormat, target_format: settings.convert.targetFormat };
  }
}
