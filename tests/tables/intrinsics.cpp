// Prints the intrinsics of LLVM, each in a line: name, attributes, kinds and numbers of the descriptors of its type.
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using Descriptor = Intrinsic::IITDescriptor;

int main() {
  LLVMContext context;
  Type *number = Type::getInt32Ty(context);
  SmallVector<Type *> numbers(64, number);
  FunctionType *type = FunctionType::get(number, numbers, false);
  outs() << LLVM_VERSION_STRING << '\n';
  for (unsigned id = 1; id < Intrinsic::num_intrinsics; ++id) {
    AttributeList attributes = Intrinsic::getAttributes(context, id, type);
    outs() << Intrinsic::getBaseName(id) << '\t' << attributes.getFnAttrs().getAsString();
    if (attributes.hasRetAttrs())
      outs() << "; return: " << attributes.getRetAttrs().getAsString();
    for (unsigned index = 0; index < numbers.size(); ++index)
      if (attributes.hasParamAttrs(index))
        outs() << "; " << index + 1 << ": " << attributes.getParamAttrs(index).getAsString();
    outs() << '\t';
    SmallVector<Descriptor, 8> descriptors;
    Intrinsic::getIntrinsicInfoTableEntries(id, descriptors);
    for (const Descriptor &one : descriptors)
      if (one.Kind == Descriptor::Vector)
        outs() << ' ' << one.Kind << ':' << one.Vector_Width.getKnownMinValue() << ':' << one.Vector_Width.isScalable();
      else
        outs() << ' ' << one.Kind << ':' << one.Integer_Width;
    outs() << '\n';
  }
}
