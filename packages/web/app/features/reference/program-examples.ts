/** A program that compresses photo.jpg, with what its language has built in. A test runs each. */
export type ProgramExample = { language: string; file: string; command: string; code: string };

/** Each takes the key from `TOKEN`, writes `smaller.jpg`, and fails with the error's sentence. */
export function programExamples(origin: string): ProgramExample[] {
  return [
    {
      language: "Node.js",
      file: "compress.mjs",
      command: "node compress.mjs",
      code: `import { openAsBlob } from "node:fs";
import { writeFile } from "node:fs/promises";

const form = new FormData();
form.append("files", await openAsBlob("photo.jpg"), "photo.jpg");
form.append("quality", "75");
const response = await fetch("${origin}/api/compress", {
  method: "POST",
  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },
  body: form,
});
if (!response.ok) throw new Error((await response.json()).detail);
await writeFile("smaller.jpg", response.body);`,
    },
    {
      language: "Python",
      file: "compress.py",
      command: "python3 compress.py",
      code: `import json, os, sys, urllib.error, urllib.request, uuid

boundary = uuid.uuid4().hex
with open("photo.jpg", "rb") as file:
    picture = file.read()
body = b"".join([
    f'--{boundary}\\r\\nContent-Disposition: form-data; name="quality"\\r\\n\\r\\n75\\r\\n'.encode(),
    f'--{boundary}\\r\\nContent-Disposition: form-data; name="files"; filename="photo.jpg"\\r\\n'.encode(),
    b"Content-Type: image/jpeg\\r\\n\\r\\n", picture,
    f"\\r\\n--{boundary}--\\r\\n".encode(),
])
request = urllib.request.Request("${origin}/api/compress", body, {
    "Authorization": f"Bearer {os.environ['TOKEN']}",
    "Content-Type": f"multipart/form-data; boundary={boundary}",
})
try:
    with urllib.request.urlopen(request) as response, open("smaller.jpg", "wb") as file:
        file.write(response.read())
except urllib.error.HTTPError as error:
    sys.exit(json.load(error)["detail"])`,
    },
    {
      language: "PHP",
      file: "compress.php",
      command: "php compress.php",
      code: `<?php
$call = curl_init("${origin}/api/compress");
curl_setopt_array($call, [
    CURLOPT_HTTPHEADER => ["Authorization: Bearer " . getenv("TOKEN")],
    CURLOPT_POSTFIELDS => ["files" => new CURLFile("photo.jpg"), "quality" => "75"],
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($call);
if (curl_getinfo($call, CURLINFO_HTTP_CODE) !== 200) {
    fwrite(STDERR, $body === false ? curl_error($call) : json_decode($body)->detail);
    exit(1);
}
file_put_contents("smaller.jpg", $body);`,
    },
    {
      language: "Go",
      file: "compress.go",
      command: "go run compress.go",
      code: `package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file := must(form.CreateFormFile("files", "photo.jpg"))
	file.Write(must(os.ReadFile("photo.jpg")))
	form.WriteField("quality", "75")
	form.Close()
	request := must(http.NewRequest("POST", "${origin}/api/compress", &body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	request.Header.Set("Content-Type", form.FormDataContentType())
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	if response.StatusCode != 200 {
		var problem struct{ Detail string }
		json.NewDecoder(response.Body).Decode(&problem)
		log.Fatal(problem.Detail)
	}
	must(0, os.WriteFile("smaller.jpg", must(io.ReadAll(response.Body)), 0o644))
}`,
    },
  ];
}
