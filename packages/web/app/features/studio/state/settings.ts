import type {
  backgroundProfiles,
  InputFormat,
  OperationName,
  OutputFormat,
  resizeMethods,
  scaleFactors,
  upscaleModels,
} from "@tintype/contract";

/** What the person set, a tool. Text fields stay text until they are sent, so that nothing typed is lost. */
export type Settings = {
  compress: { quality: string };
  resize: { width: string; height: string; method: (typeof resizeMethods)[number] };
  upscale: { scaleFactor: (typeof scaleFactors)[number]; model: (typeof upscaleModels)[number] };
  "remove-background": {
    profile: (typeof backgroundProfiles)[number];
    /** `""` is transparent, else a colour as `#rrggbb`. */
    background: string;
    isCropped: boolean;
    isMaskOnly: boolean;
  };
  convert: { sourceFormat: InputFormat | ""; targetFormat: OutputFormat | "" };
};

export const defaultSettings: Settings = {
  compress: { quality: "" },
  resize: { width: "", height: "", method: "fill" },
  upscale: { scaleFactor: 4, model: "auto" },
  "remove-background": { profile: "auto_rembg", background: "", isCropped: false, isMaskOnly: false },
  convert: { sourceFormat: "", targetFormat: "" },
};

/** The form fields that go with the pictures. */
export function formFields(tool: OperationName, settings: Settings): Record<string, string> {
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
      const { profile, background, isCropped, isMaskOnly } = settings["remove-background"];
      return {
        profile,
        background: background || "transparent",
        crop: String(isCropped),
        mask_only: String(isMaskOnly),
      };
    }
    case "convert":
      return { source_format: settings.convert.sourceFormat, target_format: settings.convert.targetFormat };
  }
}
